import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { PickButton } from '../../ui/pick-button.tsx';
import { chooseBusiness, useCurrentBusiness } from './businesses.api.ts';

type BusinessPickProps = {
  /** Stands where there is only one. */
  single?: (name: string) => ReactNode;
  /** Under the name of the business: says what it does instead of the name again. */
  named?: boolean;
};

/** Whose jobs, applicants, interviews these are: a choice where there are several businesses. */
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
    />
  );
}
