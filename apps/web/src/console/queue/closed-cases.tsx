import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { ClosedCase } from '@nearhand/contract/trust/cases';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import type { Endings } from '../case/decided-text.ts';
import { decisionLabel } from '../case/decisions.ts';
import { PagedList, SimilarOnly } from '../paged-list.tsx';
import { aboutCase, caseKindText, casePath } from './case.labels.ts';
import { useClosedCases } from './cases-api.ts';

const approvalEndings = { expired: 'Not approved in time', withdrawn: 'Withdrawn by its operator' };
const endingTexts: { readonly [K in keyof Endings]: Readonly<Record<Endings[K], string>> } = {
  ticket: { author: 'Closed by its author' },
  dispute: {
    stop: 'Settled by the timer',
    agree: 'Both sides agreed',
    'accept-proposal': 'One side accepted the other’s proposal',
  },
  second_approval: approvalEndings,
  correction: approvalEndings,
  job_review: { close: 'Closed by the business', suspend: 'Hidden by another decision' },
  payout_held: { cancel: 'Cancelled by the person' },
  business_verification: { close: 'Closed by its owner', suspend: 'Suspended by another decision' },
  chargeback: { won: 'The bank decided for the business', lost: 'The bank decided for the cardholder' },
  frozen_chat: { lifted: 'The freeze was lifted', overturned: 'The freeze was reversed in an appeal' },
};

function endingText(kind: CaseKind, ending: string): string {
  const ofKind: Partial<Record<CaseKind, Readonly<Partial<Record<string, string>>>>> = endingTexts;
  return ofKind[kind]?.[ending] ?? 'Ended automatically';
}

/** An appeal in the list of the operator whose decision it reversed was decided by someone else. */
function howItEnded({ kind, by, decision }: ClosedCase, { decidedBy, own }: ClosedCasesProps): string {
  if (by === null) return endingText(kind, decision);
  if (decidedBy === undefined || by.id === decidedBy) return decisionLabel(kind, decision);
  return own ? `Your decision was reversed by ${by.name}` : `Their decision was reversed by ${by.name}`;
}

type ClosedCasesProps = {
  kind: CaseKind | undefined;
  decidedBy?: string;
  /** True if the reader is `decidedBy`. */
  own?: boolean;
  text?: string;
  waiting?: boolean;
};

/**
 * Closed cases of everyone or one operator, newest first, with how they ended; `waiting`: those that wait for an answer from outside, and
 * come back with it. Each opens read-only.
 */
export function ClosedCases(filters: ClosedCasesProps) {
  const query = useClosedCases(filters);
  return (
    <PagedList
      query={query}
      label={filters.waiting ? 'Waiting for a reply' : 'Closed cases'}
      titled={filters.waiting === true || filters.text !== undefined}
      errorTitle="We couldn't load the closed cases"
      empty={
        filters.text === undefined ? (
          <EmptyState art="empty" title="No closed cases match">
            <p>Cases appear here once an operator has decided them, or once they ended automatically.</p>
          </EmptyState>
        ) : (
          <p className="c-pad mute">No closed case matches.</p>
        )
      }
    >
      {(items) => (
        <>
          {query.data?.pages[0]?.similar ? <SimilarOnly /> : null}
          <ul className="c-cases">
            {items.map((item) => (
              <li key={item.id} className="c-case">
                <span className="c-case-kind">
                  <Icon name={caseKindText[item.kind].icon} />
                </span>
                <div className="c-case-what">
                  <Link className="c-case-link strong" to={casePath(item)} data-row>
                    <bdi>{item.title}</bdi> <bdi className="num mute">{caseNumber(item)}</bdi>
                  </Link>
                  <p className="sm mute">{[...aboutCase(item), howItEnded(item, filters)].join(' · ')}</p>
                </div>
                <span className="c-case-age sm num mute">{formatDate(item.decidedAt, ownTimeZone())}</span>
                <span className="c-case-who sm mute">{item.by?.name ?? '–'}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </PagedList>
  );
}
