import { useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Board } from '@nearhand/contract/hiring/pipeline';
import { limits } from '@nearhand/contract/limits';
import { type SkillId, taxonomy } from '@nearhand/contract/people/taxonomy';
import { type Ref, useState } from 'react';
import { useSearchAvailability } from '../../lib/forms/search-availability.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { formatDistance, formatNumber } from '../../lib/words/format.ts';
import { skillText } from '../../lib/words/taxonomy.labels.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { type ApplicantAsk, type ApplicantScope, applicantLists } from '../applicants/applicants.api.ts';
import { allStages, laneStages, stageText } from '../applicants/stage.labels.ts';
import { useTags } from './pipeline.api.ts';
import { distances, type PhoneStage, type Pipeline } from './use-pipeline.ts';

const nearM = 5_000;
const cleared = { q: undefined, skill: undefined, tag: undefined, withinM: undefined, rehire: undefined };
const allSkills = [...new Set(Object.values(taxonomy).flat())] as SkillId[];

type FilterProps = {
  pipeline: Pipeline;
  businessId: string | undefined;
  skills: readonly SkillId[];
  zone: string;
};

export function NameSearch({ pipeline, ref }: { pipeline: Pipeline; ref?: Ref<HTMLInputElement> }) {
  const { t } = useLingui();
  const searching = useSearchAvailability(pipeline.filters.q ?? '');
  return (
    // biome-ignore lint/a11y/useSemanticElements: older web views don't support <search>.
    <div className="search slim pipe-search" role="search">
      <Icon name="magnifying-glass" />
      <input
        ref={ref}
        type="search"
        aria-label={t`Search applicants by name`}
        placeholder={t`Name`}
        maxLength={limits.searchMax}
        autoComplete="off"
        value={pipeline.filters.q ?? ''}
        onChange={(event) => pipeline.setFilters({ q: event.target.value })}
        {...searching}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          pipeline.setFilters({ q: undefined });
          event.currentTarget.blur();
        }}
      />
      <kbd className="kbd">/</kbd>
    </div>
  );
}

/** The lists of applicants by stage, with their counts. */
export function StageChips({
  scope,
  pipeline,
  counts,
  waiting,
}: {
  scope: ApplicantScope;
  pipeline: Pipeline;
  counts: Board['stages'] | undefined;
  waiting: Board['waiting'] | undefined;
}) {
  const { t } = useLingui();
  const canShow = useCanShow();
  const chip = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} ${formatNumber(count)}`;
  return (
    <Chips label={t`Stage`}>
      {(['waiting', ...allStages, 'all'] as const).map((choice) => (
        <Chip
          key={choice}
          pressed={pipeline.stage === choice}
          needsNetwork={!canShow(applicantLists(scope, stageAsk(pipeline, choice)))}
          onClick={() => pipeline.setStage(choice)}
        >
          {choice === 'waiting'
            ? chip(t`Waiting`, waiting?.count)
            : choice === 'all'
              ? chip(t`All`, liveCount(counts))
              : chip(stageText(choice), counts?.[choice])}
        </Chip>
      ))}
    </Chips>
  );
}

export const stageAsk = ({ ask }: Pipeline, stage: PhoneStage): ApplicantAsk => {
  if (stage === 'all') return { ...ask, group: 'live' };
  return stage === 'waiting' ? { ...ask, group: 'waiting' } : { ...ask, stage };
};

export const liveCount = (counts: Board['stages'] | undefined): number | undefined =>
  counts && sumOf(laneStages, (stage) => counts[stage] ?? 0);

export function QuickFilters({ pipeline, zone }: { pipeline: Pipeline; zone: string }) {
  const { t } = useLingui();
  const { filters, setFilters, needsNetwork } = pipeline;
  const turn = (pressed: boolean, change: Parameters<typeof setFilters>[0]) => ({
    pressed,
    needsNetwork: needsNetwork(change),
    onClick: () => setFilters(change),
  });
  const isRanked = filters.sort === 'match';
  const isNear = filters.withinM === nearM;
  return (
    <>
      <Chip {...turn(isRanked, { sort: isRanked ? 'newest' : 'match' })}>{t`Best match first`}</Chip>
      <span className="pipe-quick">
        <Chip {...turn(isNear, { withinM: isNear ? undefined : nearM })}>
          {t`Within ${formatDistance(nearM, zone)}`}
        </Chip>
        <Chip {...turn(filters.rehire === true, { rehire: filters.rehire ? undefined : true })}>
          {t`Worked for you before`}
        </Chip>
      </span>
    </>
  );
}

export function FilterButton({ pipeline, businessId, skills, zone, icon }: FilterProps & { icon?: boolean }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { filters, setFilters, needsNetwork } = pipeline;
  const tags = useTags(open ? businessId : undefined);
  const used = [filters.skill, filters.tag, filters.withinM, filters.rehire].filter(Boolean).length;
  const choices = [...skills, ...allSkills.filter((skill) => !skills.includes(skill))];
  return (
    <>
      {icon ? (
        <IconButton
          icon="sliders-horizontal"
          label={used > 0 ? t`Filters, ${used} in use` : t`Filters`}
          dot={used > 0}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        />
      ) : (
        <Chip icon="sliders-horizontal" onClick={() => setOpen(true)}>
          {used > 0 ? t`Filters (${used})` : t`Filters`}
        </Chip>
      )}
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t`Filters`}
        dock={
          <div className="row g2">
            <Button kind="quiet" needsNetwork={needsNetwork(cleared)} onClick={pipeline.clear}>
              {t`Clear`}
            </Button>
            <Button kind="ink" className="grow" onClick={() => setOpen(false)}>
              {t`Show applicants`}
            </Button>
          </div>
        }
      >
        <ReasonGroup>
          <div className="col g4">
            <SharedReason />
            <Segmented
              label={t`Sort by`}
              value={filters.sort}
              needsNetwork={(sort) => needsNetwork({ sort })}
              onChange={(sort) => setFilters({ sort })}
              options={[
                { value: 'match', label: t`Best match` },
                { value: 'newest', label: t`Newest` },
                { value: 'deadline', label: t`Deadline` },
              ]}
            />
            <Select
              label={t`Skill`}
              needsNetwork
              placeholder={t`Any skill`}
              value={filters.skill ?? ''}
              options={choices.map((value) => ({ value, label: skillText(value) }))}
              onChange={(event) =>
                setFilters({ skill: (event.target.value || undefined) as SkillId | undefined })
              }
            />
            <Select
              label={t`Tag`}
              needsNetwork
              placeholder={t`Any tag`}
              value={filters.tag ?? ''}
              options={[
                ...new Set([
                  ...(filters.tag ? [filters.tag] : []),
                  ...(tags.data ?? []).map(({ tag }) => tag),
                ]),
              ].map((tag) => ({ value: tag, label: tag }))}
              onChange={(event) => setFilters({ tag: event.target.value || undefined })}
            />
            <Select
              label={t`Distance to job`}
              needsNetwork
              placeholder={t`Any distance`}
              value={filters.withinM?.toString() ?? ''}
              options={distances.map((metres) => ({
                value: String(metres),
                label: t`Within ${formatDistance(metres, zone)}`,
              }))}
              onChange={(event) => setFilters({ withinM: Number(event.target.value) || undefined })}
            />
            <div className="chips wrapd">
              <Chip
                pressed={filters.rehire === true}
                needsNetwork={needsNetwork({ rehire: filters.rehire ? undefined : true })}
                onClick={() => setFilters({ rehire: filters.rehire ? undefined : true })}
              >
                {t`Worked for you before`}
              </Chip>
            </div>
          </div>
        </ReasonGroup>
      </Sheet>
    </>
  );
}
