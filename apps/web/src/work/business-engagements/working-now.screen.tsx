import { Trans, useLingui } from '@lingui/react/macro';
import { engagementPath } from '@nearhand/contract/app-paths';
import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import type { WorkingPerson } from '@nearhand/contract/work/engagements';
import { workLimits } from '@nearhand/contract/work/limits';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { persistForDay } from '../../lib/api/query-options.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDateSpan, formatNumber, formatTime, joined } from '../../lib/words/format.ts';
import { ForBusiness } from '../../people/businesses/not-for-role.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { businessWorkText, groupText } from '../engagements/business-work.labels.ts';
import './business-work.css';

const states = ['late', 'here', 'due', 'done'] as const;
type WorkingState = (typeof states)[number];

const hasBegun = ({ startsAt }: WorkingPerson, now: Date): boolean => Date.parse(startsAt) <= now.getTime();

function stateOf(person: WorkingPerson, now: Date): WorkingState {
  if (isUpcoming(person.status)) return hasBegun(person, now) ? 'late' : 'due';
  return person.status === 'checked_in' ? 'here' : 'done';
}

/** Everyone who is due, late, on site or done in all businesses and branches of the signed-in person, by branch. */
export default function WorkingNowScreen() {
  const { t } = useLingui();
  return (
    <ForBusiness
      screen="/working-now"
      title={t`Working now`}
      lead={t`Register a business to see who is working for it.`}
      isOfAll
    >
      {() => <WorkingNow />}
    </ForBusiness>
  );
}

function WorkingNow() {
  const { t } = useLingui();
  const query = useQuery(
    apiQuery.engagements.workingNow.queryOptions({ input: {}, staleTime: 0, ...persistForDay }),
  );
  return (
    <Screen title={t`Working now`} back="/tabs/menu/business" width="wide">
      <QueryState
        query={query}
        loading={<RowsSkeleton count={6} />}
        errorTitle={t`We couldn't load who's on shift`}
        isPageAge
        isEmpty={({ people }) => people.length === 0}
        empty={
          <EmptyState title={t`Nobody is working now`}>
            <Trans>
              Anyone with a shift at one of your businesses appears here {workLimits.workingNowHours} hours
              before it starts.
            </Trans>
          </EmptyState>
        }
      >
        {({ people, more }) => <WorkingPeople people={people} more={more} />}
      </QueryState>
    </Screen>
  );
}

function WorkingPeople({ people, more }: { people: readonly WorkingPerson[]; more: boolean }) {
  const { t } = useLingui();
  const now = useNow();
  const [chosenState, setChosenState] = useState<WorkingState | null>(null);
  const byState = Map.groupBy(people, (person) => stateOf(person, now));
  const peopleByState = states
    .filter((state) => chosenState === null || chosenState === state)
    .flatMap((state) => byState.get(state) ?? []);
  const places = [
    ...Map.groupBy(peopleByState, ({ business, branch }) => branch?.id ?? business.id).values(),
  ];
  return (
    <>
      <Chips label={t`Status`} wrap>
        <Chip pressed={chosenState === null} onClick={() => setChosenState(null)}>
          {t`All`} {formatNumber(people.length)}
        </Chip>
        {states.map((state) => (
          <Chip key={state} pressed={chosenState === state} onClick={() => setChosenState(state)}>
            {state === 'done' ? t`Finished` : groupText(state).label}{' '}
            {formatNumber(byState.get(state)?.length ?? 0)}
          </Chip>
        ))}
      </Chips>
      {more ? (
        <p className="help">{t`Only the first ${formatNumber(workLimits.workingNowMax)} people are shown.`}</p>
      ) : null}
      {places.length === 0 ? <p className="mute mt4">{t`Nobody right now.`}</p> : null}
      <div className="shift-groups mt4">
        {places.map((group) => (
          <Place key={group[0]?.branch?.id ?? group[0]?.business.id} people={group} now={now} />
        ))}
      </div>
    </>
  );
}

/** People of one branch, or of a business's jobs without a branch. */
function Place({ people, now }: { people: readonly WorkingPerson[]; now: Date }) {
  const { t } = useLingui();
  const [first] = people;
  const name = joined(first?.business.name, first?.branch?.name);
  return (
    <section aria-label={name}>
      <h2 className="h-m break">
        <bdi>{name}</bdi>
      </h2>
      <div className="card flush mt3">
        {people.map((person) => {
          const { label, tone } = businessWorkText(person, hasBegun(person, now));
          return (
            <ListRow
              key={person.engagementId}
              title={<bdi>{person.name || t`Someone without a name`}</bdi>}
              note={joined(
                person.title,
                formatDateSpan(person.startsAt, person.endsAt, person.timeZone, now),
                person.checkedInAt
                  ? t`Checked in at ${formatTime(person.checkedInAt, person.timeZone)}`
                  : null,
              )}
              end={<Badge tone={tone}>{label}</Badge>}
              to={engagementPath(person.engagementId, 'business')}
            />
          );
        })}
      </div>
    </section>
  );
}
