import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { chooseBusiness, useCurrentBusiness } from './businesses.api.ts';

type BusinessPickProps = {
  single?: (name: string) => ReactNode;
  named?: boolean;
};

export function BusinessPick({ single, named = false }: BusinessPickProps) {
  const { t } = useLingui();
  const { business, all } = useCurrentBusiness();
  if (!business) return null;
  if (all.length < 2) return single?.(business.name);
  return (
    <PickButton
      label={t`Business`}
      {...(named ? { words: t`Switch` } : { icon: 'storefront' as const })}
      value={business.id}
      options={all.map(({ id, name, area }) => ({ value: id, label: name, note: area }))}
      onChange={chooseBusiness}
      footer={() => (
        <ButtonLink kind="out" full icon="plus" to="/register-business">
          {t`Register another business`}
        </ButtonLink>
      )}
    />
  );
}
