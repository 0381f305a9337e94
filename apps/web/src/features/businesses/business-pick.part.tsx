import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { PickButton } from '../../ui/pick-button.tsx';
import { chooseBusiness, useCurrentBusiness } from './businesses.api.ts';

/** Whose jobs, applicants, interviews these are: a choice where there are several businesses. `single` stands where there is one. */
export function BusinessPick({ single }: { single?: (name: string) => ReactNode }) {
  const { t } = useLingui();
  const { business, all } = useCurrentBusiness();
  if (!business) return null;
  if (all.length < 2) return single?.(business.name);
  return (
    <PickButton
      label={t`Business`}
      icon="storefront"
      value={business.id}
      options={all.map(({ id, name, area }) => ({ value: id, label: name, note: area }))}
      onChange={chooseBusiness}
    />
  );
}
