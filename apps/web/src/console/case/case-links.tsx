import { operatorMay } from '@nearhand/contract/operator-roles';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import type { FoundKind } from '@nearhand/contract/trust/staff-search.rules';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { useOperator } from '../door/operator-session.ts';
import { entriesPath, foundWords, recordPath } from '../search/search-words.ts';
import { FactsCard } from './facts-card.tsx';

/** The records that a case names, by its facts. */
function recordsOf({ item, facts }: CaseFile): { kind: FoundKind; id: string }[] {
  const business = item.business ? [{ kind: 'business' as const, id: item.business.id }] : [];
  const work = (id: string | null | undefined) => (id ? [{ kind: 'engagement' as const, id }] : []);
  const person = (id: string | null | undefined) => (id ? [{ kind: 'person' as const, id }] : []);
  switch (facts.kind) {
    case 'dispute':
    case 'no_show':
      return [...work(facts.engagementId), ...person(facts.worker.id), ...business];
    case 'second_approval':
      return [...work(facts.pay?.engagementId), ...person(facts.pay?.worker.id), ...business];
    case 'correction':
      return [
        ...(facts.correction.engagementId === null ? [] : work(facts.correction.engagementId)),
        ...person(facts.correction.worker.id),
        ...business,
      ];
    case 'chargeback':
      return [...work(facts.chargeback.engagementId), ...business];
    case 'referral':
      return [...person(facts.referral.inviter.id), ...person(facts.referral.invited.id)];
    case 'ticket':
      return person(facts.ticket.from.accountId);
    case 'flagged_review':
      return [...person(facts.review.worker.id), ...business];
    default:
      return business;
  }
}

/** The records of a claimed case, opened on its behalf; finance corrects payments from there. */
export function CaseLinks({ file }: { file: CaseFile }) {
  const { roles } = useOperator();
  const { kind, subjectId } = file.item;
  const look = { case: { kind, subjectId } };
  const records = recordsOf(file);
  if (records.length === 0 || !operatorMay(roles, 'search')) return null;
  const work = records.find((one) => one.kind === 'engagement');
  return (
    <FactsCard title="Records">
      <div className="row g2 wrap">
        {records.map((one) => (
          <ButtonLink
            key={one.id}
            kind="out"
            size="s"
            icon={foundWords[one.kind].icon}
            to={recordPath(one, look)}
          >
            {foundWords[one.kind].one}
          </ButtonLink>
        ))}
        {work && operatorMay(roles, 'search-entries') ? (
          <ButtonLink kind="out" size="s" icon="hand-coins" to={entriesPath(work.id, look)}>
            Payments and corrections
          </ButtonLink>
        ) : null}
      </div>
    </FactsCard>
  );
}
