import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';

/** Without a `title`, it is the heading of its page. */
export function NoBusiness({ title, children }: { title?: string; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={title ?? t`Hire people nearby`}
      level={title === undefined ? 'h1' : 'h2'}
      actions={
        <ButtonLink kind="go" full icon="storefront" to="/register-business">
          {t`Register a business`}
        </ButtonLink>
      }
    >
      {children}
    </EmptyState>
  );
}
