import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant, Stage } from '@nearhand/contract/hiring/applicants';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Board as BoardCounts } from '@nearhand/contract/hiring/pipeline';
import { type ReactNode, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { useDeviceSetting } from '../../lib/device/device-setting.ts';
import { Switch } from '../../ui/controls/choices.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { useDrag } from '../../ui/pages/use-drag.ts';
import type { ApplicantScope } from '../applicants/applicants.api.ts';
import { CardMenu } from '../applicants/card-menu.tsx';
import { type DropMove, type DropTarget, dropMove } from '../applicants/stage.labels.ts';
import { refuseOffline } from '../applicants/use-acts.tsx';
import { Lane } from './lane.tsx';
import type { CardHandlers } from './lane-card.tsx';
import { type BoardKey, focusCard, singleKeys, useBoardKeys, useRestoredFocus } from './use-keys.ts';
import type { Pipeline } from './use-pipeline.ts';

type BoardProps = {
  pipeline: Pipeline;
  scope: ApplicantScope;
  job: Job | undefined;
  zone: string;
  counts: BoardCounts['stages'] | undefined;
  waiting: boolean;
  stages: readonly Stage[];
  openId: string | null;
  onOpen: (applicant: Applicant) => void;
  onClose: () => void;
  onMove: (applicant: Applicant, move: DropMove) => void;
  keys: boolean;
  onKeys: (visible: boolean) => void;
  search: RefObject<HTMLInputElement | null>;
  panel: ReactNode;
};

const keyMoves: Partial<Record<BoardKey, readonly DropMove[]>> = {
  shortlist: ['shortlist', 'unshortlist'],
  reject: ['reject'],
  offer: ['offer'],
  interview: ['propose-interview'],
};

/** The stages as lanes of cards, moved by dragging, by keys or by a menu. */
export function Board(props: BoardProps) {
  const { t } = useLingui();
  const { pipeline, scope, counts, stages, openId, onOpen, onMove } = props;
  const board = useRef<HTMLDivElement>(null);
  const lists = useRef(new Map<Stage, readonly Applicant[]>());
  const [folds, setFolds] = useState<Partial<Record<Stage, boolean>>>({});
  const [menuOf, setMenuOf] = useState<Applicant | null>(null);
  const { leaving, restoreFocus } = useRestoredFocus(board);
  const onList = useCallback(
    (stage: Stage, applicants: readonly Applicant[]) => {
      lists.current.set(stage, applicants);
      restoreFocus();
    },
    [restoreFocus],
  );

  const { drag, grab } = useDrag<Applicant, DropTarget>({
    onDrop: (applicant, target) => {
      const move = dropMove(applicant, target);
      if (move) onMove(applicant, move);
    },
    mayDrop: (applicant, target) => dropMove(applicant, target) !== null,
    isRefused: refuseOffline,
    scroller: '.lanes',
  });
  const now = useRef({ onOpen, toggle: pipeline.toggle });
  now.current = { onOpen, toggle: pipeline.toggle };
  const handlers = useMemo<CardHandlers>(
    () => ({
      open: (applicant) => now.current.onOpen(applicant),
      toggle: (applicant) => now.current.toggle(applicant),
      menu: setMenuOf,
      grab,
    }),
    [grab],
  );

  // At 1280 px five lanes are tight: an empty one is narrow, and a rail while an applicant is open.
  const isEmpty = (stage: Stage) => stages.length > 1 && counts?.[stage] === 0;
  const isFolded = (stage: Stage) => folds[stage] ?? (isEmpty(stage) && openId !== null);
  useBoardActions(board, props, {
    lanes: () => stages.map((stage) => (isFolded(stage) ? [] : (lists.current.get(stage) ?? []))),
    find: (id) => findIn(lists.current, id),
    isDragging: drag !== null,
    onLeave: leaving,
  });

  const dropOf = (stage: Stage) => {
    if (!drag || !dropMove(drag.item, stage)) return 'no';
    return drag.over === stage ? 'over' : 'may';
  };
  const canReject = drag !== null && dropMove(drag.item, 'reject') !== null;
  return (
    <div className={props.waiting ? 'board waiting' : 'board'} ref={board}>
      {props.waiting ? (
        <div className="lanes-wait" aria-hidden="true">
          {stages.map((stage) => (
            <span className="sk" key={stage} />
          ))}
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
      <section className={`lanes of-${stages.length}`} aria-label={t`Stages`} tabIndex={0}>
        {stages.map((stage) => (
          <Lane
            key={stage}
            stage={stage}
            scope={scope}
            job={props.job}
            ask={pipeline.ask}
            zone={props.zone}
            count={counts?.[stage]}
            filtered={pipeline.isFiltered}
            folded={isFolded(stage)}
            slim={isEmpty(stage)}
            onFold={() => setFolds((before) => ({ ...before, [stage]: !isFolded(stage) }))}
            drop={dropOf(stage)}
            openId={openId}
            checked={pipeline.checked}
            handlers={handlers}
            onList={onList}
            onToggleAll={pipeline.toggleAll}
          />
        ))}
      </section>
      {props.panel}
      {canReject ? (
        <div className={`reject-zone${drag.over === 'reject' ? ' over' : ''}`} data-drop="reject">
          <Trans>Reject</Trans>
        </div>
      ) : null}
      <CardMenu
        applicant={menuOf}
        checked={menuOf !== null && pipeline.checked.has(menuOf.id)}
        onClose={() => setMenuOf(null)}
        onOpen={onOpen}
        onToggle={pipeline.toggle}
        onMove={(applicant, move) => {
          leaving(applicant.id);
          onMove(applicant, move);
        }}
      />
      <KeysSheet open={props.keys} onClose={() => props.onKeys(false)} />
    </div>
  );
}

type BoardActions = {
  /** Read when a key is pressed, because a lane reports its applicants after rendering. */
  lanes: () => Lanes;
  find: (id: string | null | undefined) => Applicant | null;
  isDragging: boolean;
  onLeave: (applicationId: string) => void;
};

function findIn(lists: ReadonlyMap<Stage, readonly Applicant[]>, id: string | null | undefined) {
  for (const list of lists.values()) {
    const applicant = list.find((applicant) => applicant.id === id);
    if (applicant) return applicant;
  }
  return null;
}

/** The board's shortcuts act on the focused card, or on the open applicant. */
function useBoardActions(
  element: RefObject<HTMLDivElement | null>,
  props: BoardProps,
  board: BoardActions,
): void {
  const { t } = useLingui();
  const { pipeline, openId, onOpen, onMove } = props;
  const toCard = (id: string | undefined) => focusCard(element.current, id);
  const focusedId = () =>
    document.activeElement?.closest<HTMLElement>('[data-applicant]')?.dataset.applicant ?? openId;

  useBoardKeys(element, (key) => {
    const id = focusedId();
    const current = board.find(id);
    switch (key) {
      case 'next':
      case 'previous':
      case 'next-lane':
      case 'previous-lane':
        return toCard(cardAfter(board.lanes(), id, key));
      case 'open':
        if (!current) return false;
        onOpen(current);
        return true;
      case 'select':
        if (!current) return false;
        pipeline.toggle(current);
        pipeline.announce(
          pipeline.checked.has(current.id)
            ? t`${current.worker.name} deselected`
            : t`${current.worker.name} selected`,
        );
        return true;
      case 'search':
        props.search.current?.focus();
        return true;
      case 'help':
        props.onKeys(true);
        return true;
      case 'escape':
        if (board.isDragging) return false;
        if (openId) {
          props.onClose();
          toCard(openId);
        } else if (pipeline.checked.size > 0) pipeline.uncheck();
        else return false;
        return true;
      default: {
        const move = keyMoves[key]?.find((move) => current?.actions.includes(move));
        if (!current || !move) {
          if (current) pipeline.announce(t`${current.worker.name} can't be moved there right now`);
          return current !== null;
        }
        if (refuseOffline()) return true;
        board.onLeave(current.id);
        onMove(current, move);
        return true;
      }
    }
  });
}

type Lanes = readonly (readonly { id: string }[])[];

export type Step = 'next' | 'previous' | 'next-lane' | 'previous-lane';

/** The card that a step leads to; the first without a current card. Skips empty lanes. */
export function cardAfter(lanes: Lanes, from: string | null, step: Step): string | undefined {
  const lane = lanes.findIndex((list) => list.some(({ id }) => id === from));
  const list = lanes[lane];
  if (!list) return lanes.find(({ length }) => length > 0)?.[0]?.id;
  const at = list.findIndex(({ id }) => id === from);
  if (step === 'next') return list[at + 1]?.id;
  if (step === 'previous') return list[at - 1]?.id;
  const beside = step === 'next-lane' ? lanes.slice(lane + 1) : lanes.slice(0, lane).reverse();
  const entered = beside.find(({ length }) => length > 0);
  return entered?.[Math.min(at, entered.length - 1)]?.id;
}

function KeysSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const hasSingleKeys = useDeviceSetting(singleKeys) === 'on';
  const rows: [string[], string][] = [
    [['J', 'K'], t`Next and previous applicant (or down and up arrow)`],
    [['H', 'L'], t`Previous and next stage (or left and right arrow)`],
    [['Enter'], t`Open`],
    [['Space'], t`Select`],
    [['S'], t`Shortlist or move back to New`],
    [['I'], t`Propose an interview`],
    [['O'], t`Make an offer`],
    [['R'], t`Reject`],
    [['/'], t`Search`],
    [['?'], t`Show shortcuts`],
    [['Esc'], t`Close applicant or clear selection`],
  ];
  return (
    <Sheet open={open} onClose={onClose} title={t`Keyboard shortcuts`}>
      <dl className="points">
        {rows.map(([keys, text]) => (
          <div key={keys.join()}>
            <dt className="row g1 key-names">
              {keys.map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="mt4">
        <Switch
          label={t`Letter shortcuts`}
          help={t`Turn these off if you use speech input or press keys by accident. Arrows, Enter, Space and Esc still work.`}
          checked={hasSingleKeys}
          onChange={() => singleKeys.set(hasSingleKeys ? 'off' : 'on')}
        />
      </div>
    </Sheet>
  );
}
