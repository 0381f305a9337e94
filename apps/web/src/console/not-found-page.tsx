import { ButtonLink } from '../ui/controls/button.tsx';
import { EmptyState } from '../ui/pages/states.tsx';
import { Page } from './page.tsx';

export function NotFoundPage() {
  return (
    <Page title="Page not found" heading={null}>
      <EmptyState
        art="error"
        level="h1"
        title="This page doesn't exist"
        actions={
          <ButtonLink kind="go" full to="/">
            Go to the queue
          </ButtonLink>
        }
      >
        <p>The link may be incomplete, or the page was moved.</p>
      </EmptyState>
    </Page>
  );
}
