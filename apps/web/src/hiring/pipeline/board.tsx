import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant, Stage } from '@nearhand/contract/hiring/applicants';
import type { Board as BoardCounts } from '@nearhand/contract/hiring/pipeline';
import { type ReactNode, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import type { ApplicantScope } from '../applicants/applicants.api.ts';
import { CardMenu } from '../applicants/card-menu.part.tsx';
import { type DropMove, dropMove } from '../applicants/stage.words.ts';
import { refuseOffline } from '../applicants/use-acts.part.tsx';
import { cardAfter } from './board-walk.rules.ts';
import { KeysSheet } from './keys-sheet.tsx';
import { Lane } from './lane.tsx';
import type { CardHandlers } from './lane-card.tsx';
import { useDrag } from './use-drag.ts';
import { type BoardKey, focusCard, useBoardKeys, useKeptFocus } from './use-keys.ts';
import type { Pipeline } from './use-pipeline.ts';

type BoardProps = {
  pipeline: Pipeline;
  scope: ApplicantScope;
  zone: string;
  counts: BoardCounts['stages'] | undefined;
  /** The counts are on their way: the lanes take their widths from them. */
  waiting: boolean;
  /** The lanes shown: five, or only the ended one. */
  stages: readonly Stage[];
  openId: string | null;
  onOpen: (applicant: Applicant) => void;
  onClose: () => void;
  onMove: (applicant: Applicant, move: DropMove) => void;
  /** Whether the list of shortcuts is shown. */
  keys: boolean;
  onKeys: (shown: boolean) => void;
  search: RefObject<HTMLInputElement | null>;
  /** The opened applicant's panel. */
  panel: ReactNode;
};

const keyMoves: Partial<Record<BoardKey, readonly DropMove[]>> = {
  shortlist: ['shortlist', 'unshortlist'],
  reject: ['reject'],
  offer: ['offer'],
  interview: ['propose-interview'],
};

/** Lanes side by side: drag with a mouse, move with keys, and a menu on every card. */
export function Board(props: BoardProps) {
  const { t } = useLingui();
  const { pipeline, scope, counts, stages, openId, onOpen, onMove } = props;
  const board = useRef<HTMLDivElement>(null);
  const lists = useRef(new Map<Stage, readonly Applicant[]>());
  const [folds, setFolds] = useState<Partial<Record<Stage, boolean>>>({});
  const [menuOf, setMenuOf] = useState<Applicant | null>(null);
  const { leaving, settle } = useKeptFocus(board);
  const onList = useCallback(
    (stage: Stage, applicants: readonly Applicant[]) => {
      lists.current.set(stage, applicants);
      settle();
    },
    [settle],
  );

  const { drag, grab } = useDrag((applicant, target) => {
    const move = dropMove(applicant, target);
    if (move) onMove(applicant, move);
  }, refuseOffline);
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

  // At 1280 px five lanes are tight: an empty one is narrow, and a rail while an applicant is open. A tap collapses or expands any of
  // them.
  const isEmpty = (stage: Stage) => stages.length > 1 && counts?.[stage] === 0;
  const isFolded = (stage: Stage) => folds[stage] ?? (isEmpty(stage) && openId !== null);
  const find = (id: string | null | undefined) => {
    for (const list of lists.current.values()) {
      const found = list.find((one) => one.id === id);
      if (found) return found;
    }
    return null;
  };
  const toCard = (id: string | undefined) => focusCard(board.current, id);
  const focusedId = () =>
    document.activeElement?.closest<HTMLElement>('[data-applicant]')?.dataset.applicant ?? openId;

  useBoardKeys(board, (key) => {
    // Read again: a lane reports its applicants after rendering.
    const lanes = stages.map((stage) => (isFolded(stage) ? [] : (lists.current.get(stage) ?? [])));
    const id = focusedId();
    const current = find(id);
    switch (key) {
      case 'next':
      case 'previous':
      case 'next-lane':
      case 'previous-lane':
        return toCard(cardAfter(lanes, id, key));
      case 'open':
        if (!current) return false;
        onOpen(current);
        return true;
      case 'select':
        if (!current) return false;
        pipeline.toggle(current);
        pipeline.say(
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
        if (drag) return false;
        if (openId) {
          props.onClose();
          toCard(openId);
        } else if (pipeline.checked.size > 0) pipeline.uncheck();
        else return false;
        return true;
      default: {
        const move = keyMoves[key]?.find((one) => current?.actions.includes(one));
        if (!current || !move) {
          if (current) pipeline.say(t`${current.worker.name} can't be moved there right now`);
          return current !== null;
        }
        if (refuseOffline()) return true;
        leaving(current.id);
        onMove(current, move);
        return true;
      }
    }
  });

  const dropOf = (stage: Stage) => {
    if (!drag || !dropMove(drag.applicant, stage)) return 'no';
    return drag.over === stage ? 'over' : 'may';
  };
  const canReject = drag !== null && dropMove(drag.applicant, 'reject') !== null;
  return (
    <div className={props.waiting ? 'board waiting' : 'board'} ref={board}>
      {props.waiting ? (
        <div className="lanes-wait" aria-hidden="true">
          {stages.map((stage) => (
            <span className="sk" key={stage} />
          ))}
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <section className={`lanes of-${stages.length}`} aria-label={t`Stages`} tabIndex={0}>
        {stages.map((stage) => (
          <Lane
            key={stage}
            stage={stage}
            scope={scope}
            ask={pipeline.ask}
            zone={props.zone}
            count={counts?.[stage]}
            filtered={pipeline.filtered}
            folded={isFolded(stage)}
            slim={isEmpty(stage)}
            onFold={() => setFolds((before) => ({ ...before, [stage]: !isFolded(stage) }))}
            drop={dropOf(stage)}
            openId={openId}
            checked={pipeline.checked}
            handlers={handlers}
            onList={onList}
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
