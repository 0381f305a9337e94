import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';

export function NoBusiness({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Hire people nearby`}
      level="h1"
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
