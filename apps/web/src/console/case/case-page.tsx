import { caseKinds } from '@nearhand/contract/case-kinds';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import { useState } from 'react';
import { useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useOperator } from '../door/operator-session.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { Page } from '../page.tsx';
import { ageWords, kindWords, priorityWords, tagWords } from '../queue/case-words.ts';
import { type CaseRef, refetchCases, useCaseFile } from '../queue/cases-api.ts';
import { ApprovalCard } from './approval-card.tsx';
import { CaseFactsView } from './case-facts.tsx';
import { CaseGate } from './case-gate.tsx';
import { CaseLinks } from './case-links.tsx';
import { CaseWork } from './case-work.tsx';
import { Decision } from './decision.tsx';

/** A case with everything a decision needs on one page. */
export function CasePage() {
  const { kind: named, subjectId } = useParams();
  const kind = caseKinds.find((one) => one === named);
  if (!kind || !subjectId) return <NotFoundPage />;
  return <KnownCase key={`${kind} ${subjectId}`} one={{ kind, subjectId }} />;
}

const up = { to: '/cases', label: 'Back to the queue' };

function KnownCase({ one }: { one: CaseRef }) {
  const [reason, setReason] = useState<string | null>(null);
  const query = useCaseFile(one, reason);
  const title = query.data?.item.title ?? kindWords[one.kind].one;
  if (query.data === undefined && isApiError(query.error, 'operator/reason-required'))
    return <CaseGate one={one} up={up} onReason={setReason} />;
  return (
    <Page title={title} up={up} lead={query.data ? <CaseLead file={query.data} /> : null}>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle="We couldn't open the case"
        describe={caseErrorText}
        asOf={formatAgo}
      >
        {(file) => <OpenCase file={file} />}
      </QueryState>
    </Page>
  );
}

const caseErrorText = (error: unknown): string =>
  isApiError(error, 'case/not-found')
    ? 'The case is closed, or it is not for your roles. The queue has what is open.'
    : errorText(error);

function CaseLead({ file: { item } }: { file: CaseFile }) {
  const age = ageWords(item, useNow());
  const priority = priorityWords[item.priority];
  return (
    <span className="row g2 wrap">
      <span>
        {[kindWords[item.kind].one, item.tag ? tagWords(item.tag) : null].filter(Boolean).join(' · ')}
      </span>
      <Badge tone={priority.tone}>{priority.text}</Badge>
      <Badge tone={age.tone} icon="clock">
        {age.due}
      </Badge>
      <span>Open for {age.open}</span>
    </span>
  );
}

function OpenCase({ file }: { file: CaseFile }) {
  const operator = useOperator();
  const mine = file.item.claimedBy?.id === operator.id;
  return (
    <div className="c-two">
      <div className="col g4">
        <CaseFactsView facts={file.facts} one={file.item} />
        {mine ? <CaseLinks file={file} /> : null}
      </div>
      <div className="col g4">
        {file.approval ? <ApprovalCard approval={file.approval} onChange={refetchCases} /> : null}
        {mine && file.approval?.state !== 'waiting' ? <Decision file={file} /> : null}
        <CaseWork file={file} mine={mine} />
      </div>
    </div>
  );
}
