import { addMs, dayMs } from '@nearhand/contract/durations';
import {
  type HouseRule,
  houseRules,
  type SuspensionScope,
  suspensionScopes,
} from '@nearhand/contract/house-rules';
import { type Language, languages } from '@nearhand/contract/languages';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import type { RunningWork, Statement } from '@nearhand/contract/trust/sanctions';
import { reportMeasures, sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import { useState } from 'react';
import { useStoredText } from '../../lib/device/device-draft.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { codeText, englishLanguageName, ruleName } from '../queue/case.labels.ts';
import { decisionRow, isOfPerson } from './decisions.ts';
import { factsTemplates, withFactsTemplate } from './templates.ts';

type ReportMeasure = (typeof reportMeasures)[number];

const lengths = [7, 30, 90, 365] as const;
const endless = 'endless';
const asTheyRead = 'readers';

export function useStatementOfReasons({ item, facts: caseFacts }: CaseFile, decision: string | null) {
  const measure =
    item.kind === 'report' ? reportMeasures.find((reportMeasure) => reportMeasure === decision) : undefined;
  const isAboutPerson = caseFacts.kind === 'report' && isOfPerson(caseFacts.reported);
  const needsRule = decision !== null && decisionRow(item.kind, decision).asksRule === true;
  return useStatementFor(`case-facts ${item.kind} ${item.subjectId} ${item.openedAt}`, {
    measure,
    ofPerson: isAboutPerson,
    asksRule: needsRule,
  });
}

export function useStatementFor(
  draft: string,
  {
    measure,
    ofPerson,
    asksRule: alsoRule = false,
  }: { measure: ReportMeasure | undefined; ofPerson: boolean; asksRule?: boolean },
) {
  const facts = useStoredText(draft);
  const [rule, setRule] = useState<HouseRule | null>(null);
  const scopes = ofPerson ? suspensionScopes : (['hiring'] as const);
  const [chosenScope, setChosenScope] = useState<SuspensionScope | null>(null);
  const scope = scopes.length === 1 ? (scopes[0] ?? null) : chosenScope;
  const [days, setDays] = useState('');
  const isSuspension = measure === 'suspension';
  const needsRule = measure !== undefined || alsoRule;
  const problems = {
    rule: needsRule && rule === null ? 'Choose the rule.' : undefined,
    facts: measure !== undefined && facts.value.trim() === '' ? 'Write the facts.' : undefined,
    scope: isSuspension && scope === null ? 'Choose what it covers.' : undefined,
    days: isSuspension && days === '' ? 'Choose how long it lasts.' : undefined,
  };
  return {
    asks: needsRule,
    asksFacts: measure !== undefined,
    chosenRule: needsRule ? rule : null,
    facts,
    rule,
    setRule,
    scopes,
    scope,
    setChosenScope,
    days,
    setDays,
    suspends: isSuspension,
    problems,
    isComplete: Object.values(problems).every((problem) => problem === undefined),
    read: (now: Date): Statement | null =>
      measure === undefined || rule === null
        ? null
        : {
            measure,
            rule,
            facts: facts.value.trim(),
            scope: isSuspension ? scope : null,
            endsAt: isSuspension && days !== endless ? addMs(now, Number(days) * dayMs).toISOString() : null,
          },
  };
}

const countText = (count: number, noun: string): string =>
  count === 1
    ? `1 ${noun}`
    : count >= sanctionLimits.runningMax
      ? `1,000 ${noun}s or more`
      : `${count} ${noun}s`;

/** Names in sentences the jobs that a suspension hides and the bookings that go on. */
export const runningText = ({ openJobs, bookings }: RunningWork, ofPerson: boolean): string =>
  joinedSentences(
    ofPerson
      ? null
      : openJobs === 0
        ? 'No jobs are hidden.'
        : `${countText(openJobs, 'job')} ${openJobs === 1 ? 'is' : 'are'} hidden.`,
    bookings === 0
      ? 'Nothing is booked.'
      : `${countText(bookings, 'booking')} ${bookings === 1 ? 'goes' : 'go'} on.`,
  );
const joinedSentences = (...sentences: (string | null)[]): string =>
  sentences.filter((sentence) => sentence !== null).join(' ');

/** Asks the operator to confirm a suspension, with its end and what it stops. Returns true for other measures. */
export async function confirmSuspension(
  statement: Statement | null,
  target: { name: string; ofPerson: boolean; running: RunningWork },
): Promise<boolean> {
  if (statement?.measure !== 'suspension') return true;
  const { endsAt, scope } = statement;
  const end = endsAt === null ? 'until it is lifted' : `until ${formatDate(endsAt, ownTimeZone())}`;
  const pressed = await showAlert({
    title: `Suspend ${target.name}?`,
    message: `From ${codeText(scope ?? '').toLowerCase()}, ${end}. ${runningText(target.running, target.ofPerson)} ${target.ofPerson ? 'They are' : 'It is'} notified and can appeal.`,
    buttons: [
      { value: 'suspend', label: 'Suspend', kind: 'bad' },
      { value: 'cancel', label: 'Cancel' },
    ],
  });
  return pressed === 'suspend';
}

export function StatementFields({
  statement,
  tried,
  readers = [],
}: {
  statement: ReturnType<typeof useStatementOfReasons>;
  tried: boolean;
  /** The languages of those who read the facts, if they are known. */
  readers?: readonly Language[];
}) {
  const { facts, rule, scope, scopes, suspends, days } = statement;
  const [startedIn, setStartedIn] = useState<Language | null>(null);
  const problems: Partial<typeof statement.problems> = tried ? statement.problems : {};
  return (
    <>
      <Select
        label="Which rule?"
        placeholder="Choose"
        options={houseRules.map((value) => ({ value, label: ruleName[value] }))}
        value={rule ?? ''}
        error={problems.rule}
        onChange={(event) =>
          statement.setRule(houseRules.find((houseRule) => houseRule === event.target.value) ?? null)
        }
      />
      {suspends ? (
        <>
          <Select
            label="From what?"
            placeholder="Choose"
            options={scopes.map((value) => ({ value, label: codeText(value) }))}
            value={scope ?? ''}
            error={problems.scope}
            onChange={(event) =>
              statement.setChosenScope(scopes.find((scope) => scope === event.target.value) ?? null)
            }
          />
          <Select
            label="For how long?"
            placeholder="Choose"
            options={[
              ...lengths.map((value) => ({ value: String(value), label: `${value} days` })),
              { value: endless, label: 'Until it is lifted' },
            ]}
            value={days}
            error={problems.days}
            onChange={(event) => statement.setDays(event.target.value)}
          />
        </>
      ) : null}
      {statement.asksFacts && rule ? (
        <Select
          label="Start from a template for this rule"
          help={`“${factsTemplates[rule].en}”`}
          optional
          placeholder="Choose a language"
          value=""
          options={[
            ...(readers.length === 0
              ? []
              : [
                  {
                    value: asTheyRead,
                    label: `${readers.map(englishLanguageName).join(' and ')}, as they read`,
                  },
                ]),
            ...languages.map((language) => ({ value: language, label: englishLanguageName(language) })),
          ]}
          onChange={(event) => {
            const added =
              event.target.value === asTheyRead
                ? readers
                : languages.filter((value) => value === event.target.value);
            const [first] = added;
            if (!first) return;
            facts.set(
              added.reduce(
                (text, language) =>
                  withFactsTemplate(text, { rule, language, startedIn: startedIn ?? first }),
                facts.value,
              ),
            );
            if (facts.value.trim() === '') setStartedIn(first);
          }}
        />
      ) : null}
      {statement.asksFacts ? (
        <TextArea
          label="Facts"
          help="The reported side reads them word for word. Never say who reported."
          rows={5}
          maxLength={sanctionLimits.factsMax}
          length={facts.value.length}
          value={facts.value}
          error={problems.facts}
          onChange={(event) => facts.set(event.target.value)}
        />
      ) : null}
    </>
  );
}
