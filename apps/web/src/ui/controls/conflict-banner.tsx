import { Trans, useLingui } from '@lingui/react/macro';
import { Icon } from '../art/icon.tsx';
import { Button } from './button.tsx';
import { Refusal } from './refusal.tsx';

type ConflictBannerProps<Field> = {
  what: string;
  edit: {
    conflict: { theirs: readonly Field[]; both: readonly Field[] } | null;
    saveTyped: () => void;
    takeNewest: () => void;
  };
  words: (fields: readonly Field[]) => string;
};

/** Shown when someone else saved the same record first. Local edits are kept, and the person decides. */
export function ConflictBanner<Field>({ what, edit, words }: ConflictBannerProps<Field>) {
  const { t } = useLingui();
  if (edit.conflict === null) return null;
  const theirs = words(edit.conflict.theirs);
  const inConflict = words(edit.conflict.both);
  return (
    <Refusal>
      <div className="banner wait" role="alert">
        <Icon name="warning" />
        <div className="grow">
          <p className="strong">
            <Trans>Someone on your team changed {what} while you were typing.</Trans>
          </p>
          {theirs ? (
            <p>
              <Trans>They changed: {theirs}.</Trans>
            </p>
          ) : null}
          {inConflict ? (
            <p>
              <Trans>You both changed: {inConflict}.</Trans>
            </p>
          ) : null}
          <p>
            <Trans>Your changes aren't saved yet, but nothing you typed is lost.</Trans>
          </p>
          <div className="row wrap g2 mt3">
            <Button kind="ink" size="s" onClick={edit.saveTyped}>
              {t`Keep what I typed`}
            </Button>
            <Button kind="out" size="s" onClick={edit.takeNewest}>
              {t`Load their version`}
            </Button>
          </div>
        </div>
      </div>
    </Refusal>
  );
}
