import { useLingui } from '@lingui/react/macro';
import { Component, type ReactNode } from 'react';
import { homePath } from '../lib/pages/next-path.ts';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { BareScreen } from '../ui/pages/bare-screen.tsx';
import { EmptyState } from '../ui/pages/states.tsx';
import { RemovePrerendered } from './remove-prerendered.tsx';

/** Contains an error within one screen, usually a chunk that failed to load. Background parts fail silently. */
export class Boundary extends Component<{ children: ReactNode; silent?: boolean }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return this.props.silent ? null : <Broken />;
  }
}

function Broken() {
  const { t } = useLingui();
  return (
    <BareScreen>
      <RemovePrerendered />
      <div className="page narrow">
        <div className="page-body center-page" role="alert">
          <EmptyState
            art="error"
            level="h1"
            title={t`This screen didn't open`}
            actions={
              <>
                <Button kind="go" full icon="arrows-clockwise" onClick={() => globalThis.location.reload()}>
                  {t`Reload`}
                </Button>
                <ButtonLink kind="quiet" full to={homePath}>
                  {t`Go home`}
                </ButtonLink>
              </>
            }
          >
            <p>{t`You may have lost your connection, or a newer version is available. Your drafts are saved.`}</p>
          </EmptyState>
        </div>
      </div>
    </BareScreen>
  );
}
