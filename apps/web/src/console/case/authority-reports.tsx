import type { AuthorityReport } from '@nearhand/contract/trust/case-facts';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import {
  type AuthorityFact,
  authorityFacts,
  authorityReportLimits,
  isReportable,
  type ReportableKind,
} from '@nearhand/contract/trust/cases.rules';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problems, useFormModel } from '../../lib/forms/form-model.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { api } from '../console-api.ts';
import { caseKindText } from '../queue/case.labels.ts';
import { refetchCases } from '../queue/cases-api.ts';
import { authorityOptions } from './authorities.ts';
import { useWhen } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';

const factTexts: Record<AuthorityFact, string> = {
  name: 'Names of those concerned',
  'contact-details': 'Email address, phone number or home address',
  content: 'The reported text or files',
  messages: 'Messages around it',
  reports: 'Who reported it, and their words',
  'places-and-times': 'Places and times of work',
  'sign-ins': 'Sign-ins with network addresses and devices',
};

const stateBadges: Record<AuthorityReport['state'], { text: string; tone: Tone }> = {
  waiting: { text: 'Waiting for a second person', tone: 'wait' },
  confirmed: { text: 'Confirmed', tone: 'good' },
  refused: { text: 'Refused', tone: 'bad' },
};

export function AuthorityReportFacts({ report }: { report: AuthorityReport }) {
  const when = useWhen();
  const badge = stateBadges[report.state];
  return (
    <>
      <p>
        <Badge tone={badge.tone}>{badge.text}</Badge>
      </p>
      <Facts
        rows={[
          ['Authority', report.authority],
          ['Reported', when(report.reportedAt)],
          ['Their reference', report.reference ?? 'None yet'],
          ['Passed on', report.facts.map((fact) => factTexts[fact]).join('\n')],
          ['In these words', report.passedOn],
          ['Reason', report.reason],
          ['About', caseKindText[report.case.kind].one],
          ['Recorded by', `${report.recordedBy.name}, ${when(report.recordedAt)}`],
          [
            'Decided by',
            report.decidedBy && report.decidedAt
              ? `${report.decidedBy.name}, ${when(report.decidedAt)}`
              : null,
          ],
          ['Note', report.note],
        ]}
      />
      {report.passedOn === null ? null : (
        <Button
          kind="out"
          size="s"
          icon="download-simple"
          className="mt3"
          onClick={() =>
            saveBlob(
              new Blob([passedOnText(report)], { type: 'text/plain' }),
              `authority-report-${report.id.slice(-6)}.txt`,
            )
          }
        >
          Download what was passed on
        </Button>
      )}
    </>
  );
}

/** Contains the copy that the authority has, and none of the operators' own words. Times are in UTC. */
export const passedOnText = ({
  id,
  authority,
  reportedAt,
  reference,
  facts,
  passedOn,
}: AuthorityReport): string =>
  [
    `Report ${id}`,
    `To: ${authority}`,
    `Reported: ${reportedAt}`,
    `Their reference: ${reference ?? 'none yet'}`,
    `Passed on: ${facts.map((fact) => factTexts[fact]).join('; ')}`,
    '',
    passedOn ?? '',
    '',
  ].join('\n');

type CardProps = { report: AuthorityReport; reason?: string | null; mayChange: boolean };

/** A report to an authority with the form for its reference. `reason`: why someone without the claim reads the case. */
export function AuthorityReportCard({ report, reason = null, mayChange }: CardProps) {
  return (
    <FactsCard title="Report to an authority">
      <AuthorityReportFacts report={report} />
      {mayChange ? <ReferenceForm report={report} reason={reason} /> : null}
    </FactsCard>
  );
}

function ReferenceForm({ report, reason }: { report: AuthorityReport; reason: string | null }) {
  const action = useAction();
  const [text, setText] = useState(report.reference ?? '');
  const [tried, setTried] = useState(false);
  const reference = text.trim();
  const save = async () => {
    setTried(true);
    if (reference === '') return;
    const input = { ...report.case, authorityReportId: report.id, reference };
    const context = reason === null ? {} : { operator: { reason } };
    if (!(await action.run(() => api.cases.setAuthorityReference(input, { context })))) return;
    await refetchCases();
    showToast('Reference saved');
  };
  return (
    <Form className="col g2 mt4" onSubmit={() => void save()}>
      <TextInput
        label="Their reference"
        help="The notes keep each one."
        maxLength={authorityReportLimits.referenceMax}
        value={text}
        error={tried && reference === '' ? 'Enter the number that the authority gave.' : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Refused text={action.refusal} />
      <Button kind="out" size="s" type="submit" busy={action.busy} disabled={reference === report.reference}>
        Save the reference
      </Button>
    </Form>
  );
}

/** The reports of a case to an authority, and the form to record one. */
export function AuthorityReports({ file, mine }: { file: CaseFile; mine: boolean }) {
  const [open, setOpen] = useState(false);
  const { kind, subjectId } = file.item;
  if (!isReportable(kind)) return null;
  return (
    <>
      {file.authorityReports.map((report) => (
        <AuthorityReportCard key={report.id} report={report} mayChange={mine} />
      ))}
      {mine ? (
        <FactsCard title="Danger to someone's life or safety">
          <div className="col g3">
            <p className="sm mute">
              Suspected crimes of this kind must be reported to the police or judicial authority of the
              country (DSA, article 18). Report it there, then record it here. Those concerned never see it.
            </p>
            {open ? (
              <ReportForm kind={kind} subjectId={subjectId} onDone={() => setOpen(false)} />
            ) : (
              <Button kind="out" size="s" onClick={() => setOpen(true)}>
                Record a report to an authority
              </Button>
            )}
          </div>
        </FactsCard>
      ) : null}
    </>
  );
}

type Values = {
  authority: string;
  at: string;
  reference: string;
  facts: AuthorityFact[];
  passedOn: string;
  reason: string;
};

function problemsOf({ authority, at, facts, passedOn, reason }: Values): Problems<keyof Values> {
  const problems: Problems<keyof Values> = {};
  const { reasonMin, reasonMax, passedOnMin, passedOnMax } = authorityReportLimits;
  const { length } = reason.trim();
  const passedOnLength = passedOn.trim().length;
  if (authority.trim() === '') problems.authority = 'Name the authority.';
  if (at === '' || Date.parse(at) > Date.now()) problems.at = 'Choose a time that has passed.';
  if (facts.length === 0) problems.facts = 'Choose what you passed on.';
  if (passedOnLength < passedOnMin || passedOnLength > passedOnMax)
    problems.passedOn = `Write ${passedOnMin} to ${passedOnMax} characters.`;
  if (length < reasonMin || length > reasonMax)
    problems.reason = `Write ${reasonMin} to ${reasonMax} characters.`;
  return problems;
}

type FormProps = { kind: ReportableKind; subjectId: string; onDone: () => void };

function ReportForm({ kind, subjectId, onDone }: FormProps) {
  const action = useAction();
  // A mutation, so that the console asks for the second step again where the server requires a recent one.
  const record = useMutation({
    mutationFn: sendOnce('cases.reportToAuthority', api.cases.reportToAuthority),
  });
  const form = useFormModel({
    id: 'authority-report',
    focusProblems: true,
    start: (): Values => ({ authority: '', at: '', reference: '', facts: [], passedOn: '', reason: '' }),
    check: problemsOf,
  });
  const send = async ({ authority, at, reference, facts, passedOn, reason }: Values) => {
    const input = {
      kind,
      subjectId,
      authority: authority.trim(),
      reportedAt: new Date(at).toISOString(),
      reference: reference.trim() || null,
      facts,
      passedOn: passedOn.trim(),
      reason: reason.trim(),
    };
    if (!(await action.run(() => record.mutateAsync(input)))) return;
    onDone();
    await refetchCases();
    showToast('Recorded. A second person confirms it.');
  };
  const { values, problems, idOf, change } = form;
  return (
    <Form className="col g3" onSubmit={() => void form.submit(send)}>
      <Select
        label="Country"
        optional
        help="The country of the danger. It fills in the national police, which you can make more exact."
        placeholder="Choose a country"
        value={authorityOptions.find(({ value }) => value === values.authority)?.value ?? ''}
        options={authorityOptions}
        onChange={(event) => change({ authority: event.target.value })}
      />
      <TextInput
        {...form.textField('authority')}
        label="Authority"
        help="With its country, for example “Politie Amsterdam, Netherlands”."
        maxLength={authorityReportLimits.authorityMax}
      />
      <TextInput
        {...form.textField('at')}
        label="When you reported it"
        help="In your time zone."
        type="datetime-local"
      />
      <TextInput
        id={idOf('reference')}
        label="Their reference"
        optional
        maxLength={authorityReportLimits.referenceMax}
        value={values.reference}
        onChange={(event) => change({ reference: event.target.value })}
      />
      <CheckGroup
        legend="What you passed on"
        options={authorityFacts.map((value) => ({ value, label: factTexts[value] }))}
        value={values.facts}
        error={problems.facts}
        onChange={(facts) => change({ facts })}
      />
      <TextArea
        {...form.textField('passedOn')}
        label="What you told them, word for word"
        help="Paste your message; of a call, write down what you said. It is the record of what left Nearhand."
        rows={6}
        maxLength={authorityReportLimits.passedOnMax}
        length={values.passedOn.length}
      />
      <TextArea
        {...form.textField('reason')}
        label="Reason"
        help="Which crime you suspect, who is in danger and how you know. Only operators read it."
        rows={4}
        maxLength={authorityReportLimits.reasonMax}
        length={values.reason.length}
      />
      <Refused text={action.refusal} />
      <Button kind="go" size="s" type="submit" busy={action.busy}>
        Record the report
      </Button>
      <Button kind="quiet" size="s" onClick={onDone}>
        Cancel
      </Button>
    </Form>
  );
}
