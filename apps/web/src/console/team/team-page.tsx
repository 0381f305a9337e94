import { caseKinds, caseKindTable } from '@nearhand/contract/case-kinds';
import { languages } from '@nearhand/contract/languages';
import { operatorReasonMax, operatorReasonMin } from '@nearhand/contract/operator-context';
import { type OperatorRole, operatorMay, operatorRoles } from '@nearhand/contract/operator-roles';
import { isEmail } from '@nearhand/contract/people/contact.rules';
import type { OperatorChange, OperatorView } from '@nearhand/contract/trust/operators';
import { approvalLimits } from '@nearhand/contract/trust/second-approvals.rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { type Problems, useFormModel } from '../../lib/forms/form-model.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { ApprovalStateBadge } from '../case/approval-card.tsx';
import { api, apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { caseKindText, englishLanguageName } from '../queue/case.labels.ts';
import { refetchCases, useAssignments } from '../queue/cases-api.ts';
import { useOperator } from '../sign-in/operator-session.ts';

const refetch = () => queryClient.invalidateQueries({ queryKey: apiQuery.operators.list.key() });
const dateText = (instant: string) => formatDate(instant, ownTimeZone());

const roleTexts: Record<OperatorRole, { label: string; help: string }> = {
  support: { label: 'Support', help: 'Requests and service messages' },
  trust: { label: 'Trust', help: 'Reports, documents, disputes and appeals' },
  finance: { label: 'Finance', help: 'Disputes, payments and the ledger' },
  owner: { label: 'Owner', help: 'Everything, with the log and the operators' },
};
const joinRoles = (roles: readonly OperatorRole[]) =>
  operatorRoles
    .filter((role) => roles.includes(role))
    .map((role) => roleTexts[role].label)
    .join(', ');

/** A change in words, such as "Appoint as Support" or "Support becomes Trust". */
export function changeText({
  previousRoles,
  roles,
}: Pick<OperatorChange, 'previousRoles' | 'roles'>): string {
  if (roles.length === 0) return 'End the appointment';
  if (previousRoles.length === 0) return `Appoint as ${joinRoles(roles)}`;
  return `${joinRoles(previousRoles)} becomes ${joinRoles(roles)}`;
}

/** The operators and their changes, each of which a second owner approves. For owners. */
export function TeamPage() {
  const query = useQuery(apiQuery.operators.list.queryOptions());
  const [edited, setEdited] = useState<Edited | null>(null);
  const me = useOperator();
  return (
    <Page title="Operators" lead="One owner asks for a change, and another one approves it.">
      <QueryState query={query} loading={<RowsSkeleton />} errorTitle="We couldn't load the operators">
        {({ operators, changes }) => {
          const owners = operators.filter(({ roles }) => roles.includes('owner'));
          const hasApprover = (operator: OperatorView) =>
            owners.some(({ id, hasSecondFactor }) => hasSecondFactor && id !== me.id && id !== operator.id);
          return (
            <div className="col g4">
              {owners.length === 1 ? (
                <Banner icon="info">
                  You're the only owner, so nobody can approve a change. Make a second owner on the server
                  with <code>npm run operator -- add EMAIL owner</code>.
                </Banner>
              ) : null}
              <div className="c-two">
                <div className="col g4">
                  <Changes changes={changes.filter(({ state }) => state === 'waiting')} />
                  <Card as="section" label="Operators">
                    <ul className="c-words">
                      {operators.map((operator) => (
                        <li key={operator.id}>
                          <p className="row g2 wrap">
                            <span className="strong grow break">
                              {operator.name}
                              {operator.id === me.id ? ' (you)' : ''}
                            </span>
                            {hasApprover(operator) ? (
                              <>
                                <Button
                                  kind="text"
                                  size="xs"
                                  onClick={() => setEdited({ operator, ends: false })}
                                >
                                  Change roles
                                </Button>
                                <Button
                                  kind="text"
                                  size="xs"
                                  onClick={() => setEdited({ operator, ends: true })}
                                >
                                  End
                                </Button>
                              </>
                            ) : null}
                          </p>
                          <p className="sm break">{joinRoles(operator.roles)}</p>
                          <p className="xs mute break">
                            {operator.email}, since {dateText(operator.addedAt)}
                            {operator.hasSecondFactor ? '' : ', no second step yet'}
                          </p>
                          {owners.length > 1 && !hasApprover(operator) ? (
                            <p className="xs mute">
                              Only another owner with a second step can approve a change of {operator.name}.
                            </p>
                          ) : null}
                        </li>
                      ))}
                    </ul>
                  </Card>
                </div>
                <ChangeForm
                  key={edited ? `${edited.operator.id} ${edited.ends}` : 'new'}
                  edited={edited}
                  onDone={() => setEdited(null)}
                />
              </div>
              <Assignments operators={operators} />
              <History changes={changes.filter(({ state }) => state !== 'waiting')} />
            </div>
          );
        }}
      </QueryState>
    </Page>
  );
}

function Changes({ changes }: { changes: OperatorChange[] }) {
  if (changes.length === 0) return null;
  return (
    <Card as="section" label="Changes to approve">
      <h2 className="h-s">Changes to approve</h2>
      <ul className="c-words mt3">
        {changes.map((change) => (
          <PendingChange key={change.id} change={change} />
        ))}
      </ul>
    </Card>
  );
}

function PendingChange({ change }: { change: OperatorChange }) {
  const me = useOperator();
  const action = useAction();
  const [refusing, setRefusing] = useState(false);
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const { id: changeId, account, requestedBy } = change;
  const isMine = requestedBy.id === me.id;
  const mayDecide = !isMine && account.id !== me.id;
  const run = async (call: () => Promise<OperatorChange>, toastFor: (change: OperatorChange) => string) => {
    await action.run(async () => showToast(toastFor(await call())));
    await refetch();
  };
  const approve = () =>
    run(
      () => api.operators.decideChange({ changeId, decision: 'approve' }),
      ({ state }) =>
        state === 'approved'
          ? 'Approved'
          : "Withdrawn: their roles or the requester's changed in the meantime",
    );
  const refuse = async () => {
    setTried(true);
    if (note.trim() === '') return;
    await run(
      () => api.operators.decideChange({ changeId, decision: 'refuse', note: note.trim() }),
      () => 'Refused',
    );
  };
  const withdraw = () =>
    run(
      () => api.operators.withdrawChange({ changeId }),
      () => 'Withdrawn',
    );
  return (
    <li className="col g2">
      <p className="strong break">{account.name}</p>
      <p className="sm break">{changeText(change)}</p>
      <p className="sm pre-line break">{change.reason}</p>
      <p className="xs mute break">
        {account.email}. {isMine ? 'You' : requestedBy.name} asked on {dateText(change.requestedAt)}. It
        expires on {dateText(change.expiresAt)}.
      </p>
      <Refused text={action.refusal} />
      {isMine ? (
        <Button kind="out" size="s" busy={action.busy} onClick={() => void withdraw()}>
          Withdraw
        </Button>
      ) : null}
      {!isMine && account.id === me.id ? (
        <p className="sm mute">It's about you, so another owner decides.</p>
      ) : null}
      {mayDecide && refusing ? (
        <Form className="col g3" onSubmit={() => void refuse()}>
          <TextArea
            label="Why do you refuse it?"
            help={`${requestedBy.name} reads this.`}
            rows={2}
            maxLength={approvalLimits.noteMax}
            length={note.length}
            value={note}
            error={tried && note.trim() === '' ? 'Write why.' : undefined}
            onChange={(event) => setNote(event.target.value)}
          />
          <div className="row g2">
            <Button kind="quiet" size="s" onClick={() => setRefusing(false)}>
              Cancel
            </Button>
            <Button kind="bad" size="s" type="submit" busy={action.busy}>
              Refuse the change
            </Button>
          </div>
        </Form>
      ) : null}
      {mayDecide && !refusing ? (
        <div className="row g2">
          <Button kind="go" size="s" busy={action.busy} onClick={() => void approve()}>
            Approve
          </Button>
          <Button kind="out" size="s" onClick={() => setRefusing(true)}>
            Refuse
          </Button>
        </div>
      ) : null}
    </li>
  );
}

const roleKey = (roles: readonly OperatorRole[]) =>
  operatorRoles.filter((role) => roles.includes(role)).join();

function problemsOf({ email, roles, reason }: Values, edited: Edited | null): Problems<keyof Values> {
  const { length } = reason.trim();
  const problems: Problems<keyof Values> = {};
  if (!isEmail(email)) problems.email = 'Enter their email address.';
  if (!edited?.ends && roles.length === 0) problems.roles = 'Choose at least one role.';
  else if (edited && roleKey(roles) === roleKey(edited.operator.roles))
    problems.roles = 'Choose other roles than they have.';
  if (length < operatorReasonMin || length > operatorReasonMax)
    problems.reason = `Write ${operatorReasonMin} to ${operatorReasonMax} characters.`;
  return problems;
}

type Edited = { operator: OperatorView; ends: boolean };
type Values = { email: string; roles: OperatorRole[]; reason: string };

function ChangeForm({ edited, onDone }: { edited: Edited | null; onDone: () => void }) {
  const action = useAction();
  const isEnding = edited?.ends === true;
  const form = useFormModel({
    id: 'operator-change',
    focusProblems: true,
    start: (): Values => ({
      email: edited?.operator.email ?? '',
      roles: edited && !isEnding ? edited.operator.roles : [],
      reason: '',
    }),
    check: (values) => problemsOf(values, edited),
  });
  const { values, problems, change } = form;
  const send = async ({ email, roles, reason }: Values) => {
    const input = { email: email.trim(), roles, reason: reason.trim() };
    const context = { operator: { reason: input.reason } };
    let hasAccount = true;
    const ran = await action.run(() =>
      api.operators.requestChange(input, { context }).catch((error: unknown) => {
        if (!isApiError(error, 'operator/no-account')) throw error;
        hasAccount = false;
        form.refuse({ fields: { email: errorText(error) } });
      }),
    );
    if (!ran || !hasAccount) return;
    showToast('Another owner has to approve it');
    form.reset({ email: '', roles: [], reason: '' });
    onDone();
    await refetch();
  };
  const name = edited?.operator.name ?? '';
  const title = isEnding
    ? `End ${name}'s appointment`
    : edited
      ? `Change ${name}'s roles`
      : 'Appoint an operator';
  return (
    <Card as="section" label={title}>
      <h2 className="h-s">{title}</h2>
      <Form className="col g4 mt4" onSubmit={() => void form.submit(send)}>
        {edited ? null : (
          <TextInput
            {...form.textField('email')}
            label="Email"
            help="They need a Nearhand account with this address, and a second step to open the console."
            type="email"
            autoComplete="off"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        {isEnding ? (
          <p className="sm mute">
            They are logged out everywhere once another owner approves. Their decisions and their own account
            stay, and their claimed cases go back to the queue.
          </p>
        ) : (
          <CheckGroup
            legend="Roles"
            options={operatorRoles.map((value) => ({ value, ...roleTexts[value] }))}
            value={values.roles}
            error={problems.roles}
            onChange={(roles) => change({ roles })}
          />
        )}
        <TextArea
          {...form.textField('reason')}
          label="Reason"
          help="The other owner and the log read it."
          rows={3}
          maxLength={operatorReasonMax}
          length={values.reason.length}
        />
        <Refused text={action.refusal} />
        <Button kind={isEnding ? 'bad' : 'go'} full type="submit" busy={action.busy}>
          Ask another owner
        </Button>
        {edited ? (
          <Button kind="quiet" full onClick={onDone}>
            Cancel
          </Button>
        ) : null}
      </Form>
    </Card>
  );
}

/** Rules that assign new cases to one operator, in whose *Mine* list they appear. */
function Assignments({ operators }: { operators: OperatorView[] }) {
  const query = useAssignments();
  const action = useAction();
  const [kind, setKind] = useState('');
  const [language, setLanguage] = useState('');
  const [accountId, setAccountId] = useState('');
  const [tried, setTried] = useState(false);
  const caseKind = caseKinds.find((value) => value === kind) ?? null;
  const mayDecide = operators.filter(
    ({ roles }) => caseKind === null || operatorMay(roles, caseKindTable[caseKind].may),
  );
  const assignee = mayDecide.find(({ id }) => id === accountId);
  const run = async (call: () => Promise<unknown>, toast: string) => {
    const ran = await action.run(() => call().then(refetchCases));
    if (ran) showToast(toast);
    return ran;
  };
  const save = async () => {
    setTried(true);
    if ((kind === '' && language === '') || !assignee) return;
    const input = {
      kind: caseKind,
      language: languages.find((value) => value === language) ?? null,
      accountId: assignee.id,
    };
    if (!(await run(() => api.cases.saveAssignment(input), 'Rule saved'))) return;
    setKind('');
    setLanguage('');
    setAccountId('');
    setTried(false);
  };
  return (
    <Card as="section" label="Who gets which cases">
      <h2 className="h-s">Who gets which cases</h2>
      <p className="sm mute mt1">
        A case that nobody has claimed is in the list Mine of its operator. Others with the role can still
        claim it. The most exact rule counts.
      </p>
      <ul className="c-words mt3">
        {(query.data ?? []).map((rule) => (
          <li key={rule.id}>
            <p className="row g2 wrap">
              <span className="grow break">
                {rule.kind ? caseKindText[rule.kind].many : 'All cases'}
                {rule.language ? ` in ${englishLanguageName(rule.language)}` : ''}: {rule.operator.name}
              </span>
              <Button
                kind="text"
                size="xs"
                busy={action.busy}
                onClick={() =>
                  void run(() => api.cases.removeAssignment({ assignmentId: rule.id }), 'Rule removed')
                }
              >
                Remove
              </Button>
            </p>
          </li>
        ))}
      </ul>
      <Form className="col g3 mt3" onSubmit={() => void save()}>
        <div className="c-filter-row">
          <Select
            label="Kind"
            value={kind}
            placeholder="All kinds"
            options={caseKinds.map((value) => ({ value, label: caseKindText[value].many }))}
            error={tried && kind === '' && language === '' ? 'Choose a kind or a language.' : undefined}
            onChange={(event) => setKind(event.target.value)}
          />
          <Select
            label="Language"
            value={language}
            placeholder="Any language"
            options={languages.map((value) => ({ value, label: englishLanguageName(value) }))}
            onChange={(event) => setLanguage(event.target.value)}
          />
          <Select
            label="Operator"
            value={assignee ? accountId : ''}
            placeholder="Choose an operator"
            options={mayDecide.map(({ id, name }) => ({ value: id, label: name }))}
            error={tried && !assignee ? 'Choose an operator.' : undefined}
            onChange={(event) => setAccountId(event.target.value)}
          />
        </div>
        <Refused text={action.refusal} />
        <Button kind="out" size="s" type="submit" busy={action.busy}>
          Add rule
        </Button>
      </Form>
    </Card>
  );
}

function History({ changes }: { changes: OperatorChange[] }) {
  if (changes.length === 0) return null;
  return (
    <Card as="section" label="Earlier changes">
      <h2 className="h-s">Earlier changes</h2>
      <ul className="c-words mt3">
        {changes.map((change) => (
          <li key={change.id}>
            <p className="row g2 wrap">
              <span className="strong break">{change.account.name}</span>
              <ApprovalStateBadge state={change.state} />
            </p>
            <p className="sm break">{changeText(change)}</p>
            <p className="sm pre-line break">{change.reason}</p>
            <p className="xs mute break">
              {change.requestedBy.name} asked on {dateText(change.requestedAt)}.
              {change.decidedBy && change.decidedAt
                ? ` ${change.decidedBy.name} decided on ${dateText(change.decidedAt)}.`
                : ''}
              {change.note ? ` “${change.note}”` : ''}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
