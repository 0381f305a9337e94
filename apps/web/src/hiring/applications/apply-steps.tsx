import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import type { Job, SeriesDate } from '@nearhand/contract/hiring/jobs';
import { datesToApply } from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { workerGetsMinor } from '@nearhand/contract/hiring/pay.rules';
import { limits } from '@nearhand/contract/limits';
import { hasPhoneOrEmail } from '@nearhand/contract/people/contact-details.rules';
import { findChatWarnings } from '@nearhand/contract/talk/chat-warnings';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import { formatMoney, formatSpan, joined, spanIn, withZone } from '../../lib/words/format.ts';
import { payText, whenText } from '../../lib/words/job.labels.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { isFree, useDateNote } from '../jobs/job-dates.tsx';
import { replyIfSentNow } from './application.labels.ts';
import { CvField } from './cv-field.tsx';
import { QuestionFields, useProblemText } from './question-fields.tsx';
import type { ApplyFormState, ApplyStep } from './use-apply-form.ts';

export function useStepTitle({
  questions,
  editing,
  book,
  isBlock,
}: {
  questions: readonly JobQuestion[];
  editing: boolean;
  book: string | null;
  isBlock: boolean;
}) {
  const { t } = useLingui();
  return (step: ApplyStep): string => {
    if (step === 'questions')
      return plural(questions.length, { one: 'A question from them', other: '# questions from them' });
    if (step === 'shifts') return isBlock ? t`All dates together` : t`Choose your shifts`;
    if (step === 'about') return t`Introduce yourself`;
    if (book !== null) return book;
    return editing ? t`Check your changes` : t`Check and send`;
  };
}

type StepProps = { job: Job; form: ApplyFormState; idOf: (field: string) => string };

/**
 * Every free shift is chosen at first. The others are listed with the reason why they can't be. The dates of a block are
 * all chosen.
 */
export function ShiftsStep({ job, form, idOf }: StepProps) {
  const { t } = useLingui();
  const now = useNow();
  const noteOf = useDateNote();
  const isBlock = job.series?.asBlock === true;
  const dates = datesToApply(job).filter(({ myApplication }) => !isBlock || myApplication === null);
  return (
    <>
      {isBlock ? <p>{t`You apply for all dates together and are hired for all of them or none.`}</p> : null}
      <div id={idOf('shifts')} tabIndex={-1}>
        <CheckGroup
          legend={withZone(t`Shifts`, dates[0]?.startsAt ?? now, job.timeZone)}
          error={form.errors.shifts}
          options={dates.map((date) => ({
            value: date.jobId,
            label: spanIn(date.startsAt, date.endsAt, job.timeZone, now),
            help: joined(payText(date.pay).figure, noteOf(date, job.timeZone)),
            disabled: isBlock || !isFree(date),
          }))}
          value={form.shifts.map(({ jobId }) => jobId)}
          onChange={(chosen) =>
            form.change({
              leftOut: dates.flatMap(({ jobId }) => (chosen.includes(jobId) ? [] : [jobId])),
            })
          }
        />
      </div>
      <p className="strong num" role="status">
        {form.shifts.length > 0 ? <ShiftsText job={job} shifts={form.shifts} /> : null}
      </p>
    </>
  );
}

/** "4 shifts, €432 to you". */
function ShiftsText({ job, shifts }: { job: Job; shifts: readonly SeriesDate[] }) {
  const { t } = useLingui();
  const sum = sumOf(shifts, ({ pay }) => workerGetsMinor(pay));
  const count = shiftCount(shifts.length);
  const money = formatMoney(sum, job.pay.currency);
  return <>{t`${count}, ${money} to you`}</>;
}

export function QuestionsStep({ form, idOf }: StepProps) {
  return (
    <QuestionFields
      questions={form.questions}
      answers={form.value.answers}
      errors={form.errors}
      idOf={idOf}
      onAnswer={(questionId, value) =>
        form.change({ answers: { ...form.value.answers, [questionId]: value } })
      }
    />
  );
}

export function AboutStep({ job, form, idOf }: StepProps) {
  const { t } = useLingui();
  return (
    <>
      {form.needsName ? (
        <TextInput
          id={idOf('name')}
          label={t`Your name`}
          help={t`The business sees your name. We save it to your profile.`}
          error={form.errors.name}
          autoComplete="name"
          dir="auto"
          maxLength={limits.nameMax}
          value={form.name}
          onChange={(event) => form.setName(event.target.value)}
        />
      ) : null}
      {form.books ? null : <MessageAndCv job={job} form={form} idOf={idOf} />}
    </>
  );
}

/** Warns as the chat does before a hire. The field itself refuses phone numbers and email addresses. */
function MessageWarning({ text }: { text: string }) {
  const warnings = findChatWarnings(text, false);
  if (warnings.length === 0 || hasPhoneOrEmail(text)) return null;
  return (
    <Banner tone="wait" icon="warning" live>
      {warnings.includes('payment') ? (
        <Trans>This is about paying outside Nearhand. Such pay is not protected.</Trans>
      ) : (
        <Trans>
          You are giving away contact details. Pay and terms agreed outside Nearhand are not protected.
        </Trans>
      )}
    </Banner>
  );
}

function MessageAndCv({ job, form, idOf }: StepProps) {
  const { t } = useLingui();
  const problemText = useProblemText();
  const note = form.value.coverNote;
  return (
    <>
      <TextArea
        id={idOf('coverNote')}
        label={t`Your message`}
        optional
        help={t`Why you're a good fit and when you can start. They read this first.`}
        error={form.errors.coverNote ?? (hasPhoneOrEmail(note) ? problemText('contact-details') : undefined)}
        rows={6}
        dir="auto"
        length={note.length}
        maxLength={hiringLimits.coverNoteMax}
        value={note}
        onChange={(event) => form.change({ coverNote: event.target.value })}
      />
      <MessageWarning text={note} />
      <CvField
        id={idOf('cv')}
        jobId={job.id}
        value={form.cv}
        required={job.cvRequired}
        error={form.errors.cv}
        onChange={(cv) => form.change({ cv, cvTouched: true })}
      />
    </>
  );
}

export function CheckStep({ job, form, online }: StepProps & { online: boolean }) {
  const { t } = useLingui();
  const { value, cv } = form;
  const now = useNow();
  const [first] = form.shifts;
  const reply = replyIfSentNow(
    first ? { ...job, startsAt: first.startsAt } : job,
    useSettings().decideByDays,
    now,
  );
  const pay = payText(job.pay);
  const toAbout = form.steps.indexOf('about');
  return (
    <>
      <Card as="section" label={t`Job`}>
        <p className="strong">{job.title}</p>
        <p className="sm mute mt1">
          {[
            job.business.name,
            ...(first ? [] : [`${pay.figure} ${pay.notes[0] ?? ''}`.trim(), whenText(job)]),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {first ? (
          <>
            <p className="strong num mt2">
              <ShiftsText job={job} shifts={form.shifts} />
            </p>
            <ul className="sm num">
              {form.shifts.map(({ jobId, startsAt, endsAt }) => (
                <li key={jobId}>{formatSpan(startsAt, endsAt, job.timeZone, now)}</li>
              ))}
            </ul>
          </>
        ) : null}
        {form.value.editing === null ? <p className="sm mt1">{reply}</p> : null}
      </Card>
      <Answers form={form} />
      <section>
        <PartHead title={t`Your message`} onChange={() => form.goTo(toAbout)} />
        {value.coverNote.trim() ? (
          <p dir="auto" className="pre-line wrap-any">
            {value.coverNote.trim()}
          </p>
        ) : (
          <p className="mute">{t`None. A line or two helps you stand out.`}</p>
        )}
      </section>
      <section>
        <PartHead title={t`CV`} onChange={() => form.goTo(toAbout)} />
        <p dir="auto" className={cv ? 'wrap-any' : 'mute'}>
          {cv ? (cv.kind === 'stored' ? cv.file.name : cv.name) : t`None`}
        </p>
      </section>
      {online ? (
        <p className="sm mute">
          <Trans>
            They see your profile without your email, phone or address. You can edit your application until
            they open it, and withdraw it until you're hired.
          </Trans>
        </p>
      ) : (
        <Banner tone="wait" icon="wifi-slash" live>
          <Trans>You're offline. Send it now and we'll deliver it when you're back online.</Trans>
        </Banner>
      )}
    </>
  );
}

export function Answers({ form }: { form: ApplyFormState }) {
  const { t } = useLingui();
  const { questions, value } = form;
  if (questions.length === 0) return null;
  return (
    <section>
      <PartHead title={t`Your answers`} onChange={() => form.goTo(form.steps.indexOf('questions'))} />
      <dl className="said">
        {questions.map((question) => (
          <div key={question.id}>
            <dt dir="auto" className="sm mute">
              {question.prompt}
            </dt>
            <dd dir="auto" className="pre-line wrap-any">
              <AnswerText value={value.answers[question.id]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function PartHead({ title, onChange }: { title: string; onChange: () => void }) {
  const { t } = useLingui();
  return (
    <div className="row part-head">
      <h2 className="h-s grow">{title}</h2>
      <Button kind="text" size="s" aria-label={t`Change: ${title}`} onClick={onChange}>
        {t`Change`}
      </Button>
    </div>
  );
}

function AnswerText({ value }: { value: string | boolean | undefined }) {
  const { t } = useLingui();
  if (value === true) return t`Yes`;
  if (value === false) return t`No`;
  return value?.trim() ? value.trim() : <span className="mute">{t`Not answered`}</span>;
}
