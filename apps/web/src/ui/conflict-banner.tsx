import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Refusal } from './refusal.tsx';

type ConflictBannerProps = {
  /** "this job", "this business". */
  what: string;
  /** Fields the other person changed and this one did not, in words. */
  theirs: string;
  /** Fields both changed, in words. */
  both: string;
  onKeep: () => void;
  onNewest: () => void;
};

/** Somebody else saved the same record first. What was typed is still there; the person decides. */
export function ConflictBanner({ what, theirs, both, onKeep, onNewest }: ConflictBannerProps) {
  const { t } = useLingui();
  return (
    <Refusal>
      <div className="banner wait" role="alert">
        <Icon name="warning" />
        <div className="grow">
          <p className="strong">
            <Trans>Somebody in your team changed {what} while you were typing.</Trans>
          </p>
          {theirs ? (
            <p>
              <Trans>They changed: {theirs}.</Trans>
            </p>
          ) : null}
          {both ? (
            <p>
              <Trans>You both changed: {both}.</Trans>
            </p>
          ) : null}
          <p>
            <Trans>Nothing is saved yet, and nothing you typed is lost.</Trans>
          </p>
          <div className="row wrap g2 mt3">
            <Button kind="ink" size="s" onClick={onKeep}>
              {t`Keep what I typed`}
            </Button>
            <Button kind="out" size="s" onClick={onNewest}>
              {t`Load their version`}
            </Button>
          </div>
        </div>
      </div>
    </Refusal>
  );
}
