import { Component, type ReactNode } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { EmptyState } from '../ui/pages/states.tsx';

/** Keeps a fault of a page from leaving an empty window. */
export class ConsoleBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="c-door" role="alert">
        <EmptyState
          art="error"
          level="h1"
          title="This page didn't open"
          actions={
            <Button kind="go" full icon="arrows-clockwise" onClick={() => globalThis.location.reload()}>
              Reload
            </Button>
          }
        >
          <p>A newer version may be available. Nothing you sent is lost.</p>
        </EmptyState>
      </main>
    );
  }
}
