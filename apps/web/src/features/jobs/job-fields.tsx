import { useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/businesses';
import { limits } from '@nearhand/contract/limits';
import { categoryIds } from '@nearhand/contract/taxonomy';
import { categoryText } from '../../lib/taxonomy-text.ts';
import { Banner } from '../../ui/banner.tsx';
import { RadioGroup } from '../../ui/choices.tsx';
import { Select, TextArea, TextInput } from '../../ui/inputs.tsx';
import { AddressFields } from '../places/places.api.ts';
import type { JobErrors, JobField, JobForm, JobSetting } from './job-form.rules.ts';

export type JobFieldsProps = {
  form: JobForm;
  onChange: (change: Partial<JobForm>) => void;
  errors: JobErrors;
  idOf: (field: JobField) => string;
  business: Business;
  setting: JobSetting;
  /** Seats already hired: the head count cannot fall below, the pay cannot fall. */
  hired?: number;
  /** Seats under an offer that is out. */
  offered?: number;
  /** Somebody is hired or has an offer on these hours and this place (job/terms-fixed). */
  fixed?: boolean;
  /** What the pay of a saved job is for, where it is not the hour of a shift. */
  payUnitLabel?: string;
};

/** Shift or task; only before a job is saved, since its kind stays. */
export function JobKindField({ form, onChange }: JobFieldsProps) {
  const { t } = useLingui();
  return (
    <RadioGroup
      legend={t`What kind of job is it?`}
      columns
      value={form.kind}
      onChange={(kind) => onChange({ kind })}
      options={[
        { value: 'shift', label: t`Shift`, help: t`A place and hours, paid by the hour.` },
        { value: 'task', label: t`Task`, help: t`A result at a fixed price.` },
      ]}
    />
  );
}

export function JobWhatFields({ form, onChange, errors, idOf }: JobFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        id={idOf('title')}
        label={t`Title`}
        help={form.kind === 'shift' ? t`For example: Weekend barista.` : t`For example: Put up a wardrobe.`}
        maxLength={limits.titleMax + 20}
        value={form.title}
        error={errors.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <Select
        id={idOf('category')}
        label={t`Category`}
        placeholder={t`Choose a category`}
        options={categoryIds.map((value) => ({ value, label: categoryText(value) }))}
        value={form.category}
        error={errors.category}
        onChange={(event) => onChange({ category: event.target.value as JobForm['category'] })}
      />
      <TextArea
        id={idOf('description')}
        label={t`Description`}
        help={t`What there is to do, with whom, and what to wear or bring.`}
        rows={6}
        maxLength={limits.descriptionMax}
        length={form.description.length}
        value={form.description}
        error={errors.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
    </>
  );
}

/** Why hours and place cannot be changed, above them. */
export function FixedTerms({ fixed }: { fixed: boolean | undefined }) {
  const { t } = useLingui();
  return fixed ? (
    <Banner icon="lock-key">
      {t`Somebody is hired or has an offer on these terms, so hours and place stay as they are. For other hours, copy the job.`}
    </Banner>
  ) : null;
}

export function JobWhereFields(props: JobFieldsProps) {
  return (
    <>
      <FixedTerms fixed={props.fixed} />
      <fieldset className="bare-set form-fields" disabled={props.fixed}>
        <WhereFields {...props} />
      </fieldset>
    </>
  );
}

function WhereFields(props: JobFieldsProps) {
  const { t } = useLingui();
  const { form, onChange, business } = props;
  return (
    <>
      <RadioGroup
        legend={t`Where is the work?`}
        value={form.elsewhere ? 'elsewhere' : 'business'}
        onChange={(where) => onChange({ elsewhere: where === 'elsewhere' })}
        options={[
          {
            value: 'business',
            label: business.address,
            help: business.privateAddress
              ? t`${business.area}. The address of the business, shown blurred until somebody is hired.`
              : t`${business.area}. The address of the business.`,
          },
          { value: 'elsewhere', label: t`Somewhere else`, help: t`You set a pin for this job.` },
        ]}
      />
      {form.elsewhere ? <OtherPlace {...props} /> : null}
    </>
  );
}

function OtherPlace({ form, onChange, errors, idOf }: JobFieldsProps) {
  const { t } = useLingui();
  return (
    <AddressFields
      value={form.place}
      onChange={(part) => onChange({ place: { ...form.place, ...part } })}
      errors={errors}
      idOf={idOf}
      pin={{ title: t`Where is the work?`, help: t`Distances are measured to the pin.` }}
      privateHelp={t`Workers see a circle of about 500 m until you hire them.`}
    />
  );
}
