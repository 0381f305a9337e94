import { useLingui } from '@lingui/react/macro';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { categoryIds } from '@nearhand/contract/people/taxonomy';
import { categoryText } from '../../lib/words/category.labels.ts';
import { joined } from '../../lib/words/format.ts';
import { useBranches } from '../../people/branches/branches.api.ts';
import { PhotosField } from '../../people/businesses/photos-field.tsx';
import { AddressFields } from '../../people/places/address-fields.tsx';
import { Banner } from '../../ui/banner.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import type { JobErrors, JobField, JobForm, JobSetting } from './job-form.rules.ts';
import { atBranch, atBusiness, emptyPlace } from './job-place.rules.ts';

export type JobFieldsProps = {
  form: JobForm;
  onChange: (change: Partial<JobForm>) => void;
  errors: JobErrors;
  idOf: (field: JobField) => string;
  business: Business;
  setting: JobSetting;
  /** Spots already hired: head count can't fall below. */
  hired?: number;
  offered?: number;
  /** Booked people are asked about other hours, another place and lower pay (ADR 389). */
  asksBooked?: boolean;
  /** Someone relies on these hours and this place (job/terms-fixed). */
  fixed?: boolean;
  payUnitLabel?: string;
  /** Other days for the same shift, in the composer only. */
  alsoOn?: {
    days: readonly string[];
    /** The days chosen, also while instant hire leaves them out. */
    chosen: readonly string[];
    onChange: (days: string[]) => void;
    block: { isChosen: boolean; onChange: (isChosen: boolean) => void };
    draftId: string | undefined;
  };
};

/** Shift or task; only before a job is saved, since its kind is fixed. */
export function JobKindField({ form, onChange }: JobFieldsProps) {
  const { t } = useLingui();
  return (
    <RadioGroup
      legend={t`What kind of job is it?`}
      columns
      value={form.kind}
      onChange={(kind) => onChange({ kind })}
      options={[
        { value: 'shift', label: t`Shift`, help: t`Set hours at one place, paid by the hour.` },
        { value: 'task', label: t`Task`, help: t`A finished result at a fixed price.` },
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
        maxLength={hiringLimits.titleMax + 20}
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
        help={t`What they'll do, who with, and what to wear or bring.`}
        rows={6}
        maxLength={hiringLimits.descriptionMax}
        length={form.description.length}
        value={form.description}
        error={errors.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <PhotosField
        id={`${idOf('description')}-photos`}
        help={t`Show the place or the task. Everyone who sees the job sees them.`}
        max={hiringLimits.jobPhotosMax}
        value={form.photoIds}
        onChange={(photoIds) => onChange({ photoIds })}
      />
    </>
  );
}

export function FixedTerms({ fixed }: { fixed: boolean | undefined }) {
  const { t } = useLingui();
  return fixed ? (
    <Banner icon="lock-key">
      {t`Someone has been hired or offered this job, so you can't change the hours or location. Duplicate the job instead.`}
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
  const all = useBranches(business.id).data?.branches ?? [];
  const branches = all.filter(({ id, closed }) => !closed || id === form.branchId);
  const ownAddress = t`${business.area}. Your business address.`;
  // A member limited to branches would lose access to a job outside them.
  const isLimited = business.branchIds !== null;
  return (
    <>
      <RadioGroup
        legend={t`Where's the job?`}
        value={form.elsewhere ? 'elsewhere' : form.branchId || 'business'}
        onChange={(place) => {
          const branch = branches.find(({ id }) => id === place);
          if (place === 'elsewhere')
            onChange({ elsewhere: true, ...(form.elsewhere ? {} : { place: emptyPlace }) });
          else onChange(branch ? atBranch(branch) : atBusiness);
        }}
        options={[
          ...(isLimited
            ? []
            : [
                {
                  value: 'business',
                  label: business.address,
                  help: business.privateAddress
                    ? t`${business.area}. Your business address. Workers see the exact location once hired.`
                    : ownAddress,
                },
              ]),
          ...branches.map(({ id, name, address, area }) => ({
            value: id,
            label: name,
            help: joined(address, area),
          })),
          { value: 'elsewhere', label: t`Somewhere else`, help: t`You set the pin on the map.` },
        ]}
      />
      {form.elsewhere && branches.length > 0 ? (
        <Select
          label={t`Branch`}
          optional={!isLimited}
          help={t`Its contact person and check-in code apply.`}
          options={[
            ...(isLimited ? [] : [{ value: '', label: t`No branch` }]),
            ...branches.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={form.branchId}
          onChange={(event) => onChange({ branchId: event.target.value })}
        />
      ) : null}
      {form.elsewhere ? <OtherPlace {...props} /> : null}
    </>
  );
}

function OtherPlace({ form, onChange, errors, idOf, business }: JobFieldsProps) {
  const { t } = useLingui();
  return (
    <AddressFields
      value={form.place}
      country={business.countryCode}
      onChange={(part) => onChange({ place: { ...form.place, ...part } })}
      errors={errors}
      idOf={idOf}
      pin={{ title: t`Where's the job?`, help: t`Workers see how far they are from the pin.` }}
      privateHelp={t`Workers see an area of about 500 m until they're hired.`}
    />
  );
}
