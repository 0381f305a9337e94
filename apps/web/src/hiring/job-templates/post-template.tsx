import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { addDays, minuteMs } from '@nearhand/contract/durations';
import { jobCost } from '@nearhand/contract/hiring/job-cost';
import type { JobTemplate } from '@nearhand/contract/hiring/job-templates';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { dotted, formatCalendarDay, formatMoney, joined, minorDigits } from '../../lib/words/format.ts';
import { perUnit } from '../../lib/words/job.labels.ts';
import { clockIn, plainTime, spanAt, type TypedSpan } from '../../lib/words/zoned-time.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Card, ListRow, SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Stepper } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { SpanFields } from '../../ui/controls/span-fields.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { AlsoOn, otherDays, otherDaysMax } from '../job-posting/also-on.tsx';
import {
  doubtedTermsOf,
  emptyJobForm,
  headCountOf,
  type JobErrors,
  type JobField,
  type JobForm,
  type JobSetting,
  jobErrors,
  typedPaidMinutes,
  typedPay,
} from '../job-posting/job-form.rules.ts';
import { pastErrors } from '../job-posting/job-past.rules.ts';
import { fieldsOfSeriesRefusal, JobRefusal } from '../job-posting/job-refusal.tsx';
import { acceptDoubts, jobDoubts, sameShiftDoubts } from '../jobs/job-doubts.ts';
import { useAddShift, useDeleteTemplate, useJobTemplates, usePostTemplate } from './job-templates.api.ts';

type PostProps = {
  business: Business;
  open: boolean;
  /**
   * The chosen day, such as a cell of the roster. On today's, hours that have started begin soon instead. The default is
   * today or tomorrow.
   */
  day?: string;
  onPosted?: () => void;
  onClose: () => void;
};

/** Posts a shift from a template: its date, its hours and the number of people. */
export function PostTemplateSheet({ open, onClose, ...props }: PostProps) {
  const { t } = useLingui();
  return (
    <Sheet open={open} onClose={onClose} title={t`Post from a template`}>
      {open ? <Templates {...props} onDone={onClose} /> : null}
    </Sheet>
  );
}

type Props = Omit<PostProps, 'open' | 'onClose'> & { onDone: () => void };

function Templates({ business, onDone, ...props }: Props) {
  const { t } = useLingui();
  const query = useJobTemplates(business.id);
  const [pickedId, setPickedId] = useState<string | null>(null);
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't load your templates`}
    >
      {(templates) => {
        const pickedTemplate =
          templates.length === 1 ? templates[0] : templates.find(({ id }) => id === pickedId);
        if (pickedTemplate)
          return (
            <PostForm
              key={pickedTemplate.id}
              source={{ ...pickedTemplate, templateId: pickedTemplate.id }}
              business={business}
              {...props}
              onDone={onDone}
              onBack={templates.length > 1 ? () => setPickedId(null) : null}
            />
          );
        return templates.length === 0 ? (
          <p className="mute">
            <Trans>
              You have no templates yet. Open the actions of a shift and choose “Save as template”.
            </Trans>
          </p>
        ) : (
          <Card flush>
            {templates.map((template) => (
              <TemplateRow key={template.id} template={template} onClick={() => setPickedId(template.id)} />
            ))}
          </Card>
        );
      }}
    </QueryState>
  );
}

export function TemplateRow({ template, onClick }: { template: JobTemplate; onClick: () => void }) {
  return (
    <ListRow
      lead={<IconSign icon="clipboard-text" />}
      title={template.name}
      note={noteOf(template)}
      onClick={onClick}
    />
  );
}

/** The source of a new shift: a template, or another shift of the business. */
export type ShiftSource = Omit<JobTemplate, 'id'> & ({ templateId: string } | { jobId: string });

const noteOf = ({ name, title, branch, from, to, payMinor, currency }: Omit<JobTemplate, 'id'>): string =>
  joined(
    title === name ? null : title,
    branch?.name,
    from && to ? `${from}–${to}` : null,
    payMinor === null ? null : perUnit(formatMoney(payMinor, currency), 'hour'),
  );

const formOf = (template: ShiftSource, day: string): JobForm => ({
  ...emptyJobForm(),
  title: template.title,
  category: template.category,
  day,
  from: template.from ?? '',
  to: template.to ?? '',
  breakMinutes: template.breakMinutes > 0 ? String(template.breakMinutes) : '',
  breakPaid: template.breakPaid,
  instantHire: template.instantHire,
  headCount: String(template.headCount),
  pay: template.payMinor === null ? '' : typedFromMinor(template.payMinor, minorDigits(template.currency)),
});

type AskedField = 'day' | 'from' | 'to' | 'headCount' | 'alsoOn';
const formFields: readonly JobField[] = ['day', 'from', 'to', 'headCount', 'alsoOn'] satisfies AskedField[];

type PostFormProps = Props & { source: ShiftSource; onBack: (() => void) | null };

/** Asks for date, hours and people, and posts a shift like `source`. */
export function PostForm({ source, business, day, onPosted, onDone, onBack }: PostFormProps) {
  const { t } = useLingui();
  const settings = useSettings();
  const posting = usePosting({ source, business, day, onPosted, onDone });
  const { form, setting, today, problems, change, count, refused, busy } = posting;
  const { values } = form;
  return (
    <Form onSubmit={() => void posting.send(false)}>
      <div className="row">
        <div className="grow">
          <p className="strong">{source.name}</p>
          <p className="sm mute">{noteOf(source)}</p>
        </div>
        {onBack ? (
          <Button kind="text" size="s" onClick={onBack}>
            {t`Change`}
          </Button>
        ) : null}
      </div>
      <JobRefusal
        error={refused}
        isStored={false}
        businessId={business.id}
        again={{ label: (amount) => t`Add ${amount} and publish`, run: () => void posting.send(false) }}
      />
      <SpanFields
        idOf={form.idOf}
        typed={values}
        problems={problems}
        firstDay={today}
        timeZone={setting.timeZone}
        onChange={change}
      />
      <Stepper
        id={form.idOf('headCount')}
        label={t`People`}
        min={1}
        max={hiringLimits.headCountMax}
        value={values.headCount}
        error={problems.headCount}
        onChange={(headCount) => change({ headCount })}
      />
      <AlsoOn
        form={values}
        setting={setting}
        daysMax={otherDaysMax(business)}
        today={today}
        country={business.countryCode}
        days={posting.alsoOn}
        onChange={posting.changeAlsoOn}
        block={{ isChosen: posting.asBlock, onChange: posting.setAsBlock }}
        id={form.idOf('alsoOn')}
        error={problems.alsoOn}
        planned={{
          businessId: business.id,
          title: source.title,
          branchId: source.branch?.id ?? null,
        }}
      />
      <Cost form={values} setting={setting} count={count} feeBasisPoints={settings.businessFeeBasisPoints} />
      <div className="row g2 wrap sheet-act">
        <Button kind="quiet" needsNetwork busy={busy} onClick={() => void posting.send(true)}>
          {t`Edit first`}
        </Button>
        <Button kind="go" className="grow" type="submit" needsNetwork busy={busy}>
          <Plural value={count} one="Post shift" other="Post # shifts" />
        </Button>
      </div>
      {isApiError(refused, 'job/incomplete') ? (
        <p className="help">{t`Choose “Edit first” to fill in what is missing.`}</p>
      ) : null}
      {'templateId' in source ? (
        <DeleteTemplate source={source} onDeleted={onBack} onRefused={posting.setRefused} />
      ) : null}
    </Form>
  );
}

function DeleteTemplate({
  source,
  onDeleted,
  onRefused,
}: {
  source: { templateId: string; name: string };
  onDeleted: (() => void) | null;
  onRefused: (error: unknown) => void;
}) {
  const { t } = useLingui();
  const remove = useDeleteTemplate();
  const askAndDelete = async () => {
    const choice = await showAlert({
      title: t`Delete this template?`,
      message: t`${source.name} will be deleted for your whole team. Shifts posted from it stay.`,
      buttons: [
        { value: 'yes', label: t`Delete template`, kind: 'bad' },
        { value: 'no', label: t`Keep template` },
      ],
    });
    if (choice !== 'yes') return;
    try {
      await remove.mutateAsync({ templateId: source.templateId });
      showToast(t`Template deleted`);
      onDeleted?.();
    } catch (error) {
      onRefused(error);
    }
  };
  return (
    <div>
      <Button kind="text" size="s" icon="trash" needsNetwork onClick={() => void askAndDelete()}>
        {t`Delete template`}
      </Button>
    </div>
  );
}

const quarterMs = 15 * minuteMs;

/** The span at its own length from the next quarter of an hour that is at least 15 minutes ahead. */
function spanFromNow(
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
  timeZone: string,
  now: Date,
): TypedSpan {
  const start = (Math.ceil(now.getTime() / quarterMs) + 1) * quarterMs;
  const end = start + Date.parse(endsAt) - Date.parse(startsAt);
  const { day, time } = clockIn(new Date(start).toISOString(), timeZone);
  return { day, from: time, to: clockIn(new Date(end).toISOString(), timeZone).time };
}

/** The form of a new shift like `source`. `send` posts it, or stores it as a draft to edit. */
function usePosting({ source, business, day, onPosted, onDone }: Omit<PostFormProps, 'onBack'>) {
  const { t } = useLingui();
  const now = useNow();
  const navigate = useNavigate();
  const post = usePostTemplate();
  const add = useAddShift();
  const { timeZone, currency } = source;
  const setting: JobSetting = { timeZone, currency, now };
  const today = clockIn(now.toISOString(), timeZone).day;
  const [alsoOn, setAlsoOn] = useState<string[]>([]);
  const [asBlock, setAsBlock] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const form = useFormModel<JobForm, JobField>({
    focusProblems: true,
    start: () => {
      const first = formOf(source, day ?? today);
      const span = spanAt(first, timeZone);
      if (!span || new Date(span.startsAt) > now) return first;
      const soon = spanFromNow(span, timeZone, now);
      return day === soon.day ? { ...first, ...soon } : { ...first, day: addDays(today, 1) };
    },
    check: (values) => {
      const errors = jobErrors(values, setting);
      return Object.fromEntries(
        formFields.flatMap((field) => (errors[field] ? [[field, errors[field]]] : [])),
      );
    },
  });
  const { values } = form;
  const problems: JobErrors = { ...pastErrors(values, setting), ...form.problems };
  const days = otherDays(values, alsoOn, setting);
  const count = days.length + 1;
  const change = (part: Partial<JobForm>) => {
    form.change(part);
    form.clearRefusal();
    setRefused(null);
  };
  const changeAlsoOn = (chosenDays: string[]) => {
    setAlsoOn(chosenDays);
    form.clearRefusal();
    setRefused(null);
  };
  const finish = (job: Job) => {
    if (job.status === 'draft') navigate(`/create-job?job=${job.id}`);
    else if (job.status === 'in_review') showToast(t`We're checking ${job.title} before workers see it`);
    else
      showToast(
        count > 1
          ? t`${job.title} published on ${count} days`
          : dotted(t`${job.title} published`, formatCalendarDay(values.day, { now })),
      );
    onDone();
    if (job.status !== 'draft') onPosted?.();
  };
  const acceptsDoubts = async () => {
    const hours = { from: plainTime(values.from), to: plainTime(values.to) };
    const planned = { title: source.title, branchId: source.branch?.id ?? null, ...hours };
    const doubts = [
      ...jobDoubts(doubtedTermsOf(values, setting), now),
      ...(await sameShiftDoubts(business.id, planned, [values.day, ...days])),
    ];
    return acceptDoubts(doubts, t`Publish as it is`);
  };
  const send = (asDraft: boolean) =>
    form.submit(async () => {
      setRefused(null);
      const span = spanAt(values, timeZone);
      const headCount = headCountOf(values);
      if (!span || headCount === null) return;
      const { startsAt, endsAt } = span;
      const isAlone = asDraft || days.length === 0;
      const also = isAlone ? {} : { alsoOn: days, asBlock: asBlock || undefined };
      try {
        if (!asDraft && !(await acceptsDoubts())) return;
        const input = { startsAt, endsAt, headCount, asDraft, ...also };
        finish(
          'templateId' in source
            ? await post.mutateAsync({ templateId: source.templateId, ...input })
            : await add.mutateAsync({ jobId: source.jobId, ...input }),
        );
      } catch (error) {
        const fields = fieldsOfSeriesRefusal(error, days, () => errorText(error));
        const refusedFields = Object.keys(fields).filter((field) => formFields.includes(field as JobField));
        setRefused(refusedFields.length > 0 ? null : error);
        form.refuse({ fields: refusedFields.length > 0 ? fields : {} });
      }
    });
  const busy = post.isPending || add.isPending;
  return {
    form,
    setting,
    today,
    problems,
    change,
    count,
    alsoOn,
    changeAlsoOn,
    asBlock,
    setAsBlock,
    refused,
    setRefused,
    busy,
    send,
  };
}

function Cost({
  form,
  setting: { currency, timeZone },
  count,
  feeBasisPoints,
}: {
  form: JobForm;
  setting: JobSetting;
  count: number;
  feeBasisPoints: number;
}) {
  const { t } = useLingui();
  const payMinor = typedPay(form, currency);
  const paidMinutes = typedPaidMinutes(form, timeZone);
  const headCount = headCountOf(form);
  if (payMinor === null || paidMinutes === null || headCount === null) return null;
  const { totalMinor } = jobCost({
    kind: 'shift',
    payMinor,
    paidMinutes,
    headCount,
    businessFeeBasisPoints: feeBasisPoints,
    workerFeeBasisPoints: 0,
  });
  return <SumRow total label={t`Cost with our fee`} value={formatMoney(totalMinor * count, currency)} />;
}
