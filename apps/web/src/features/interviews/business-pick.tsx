import { useLingui } from '@lingui/react/macro';
import { PickButton } from '../../ui/pick-button.tsx';
import { chooseBusiness, useCurrentBusiness } from '../businesses/businesses.api.ts';

/** Whose interviews these are: a choice where there are several businesses, else the name. */
export function BusinessPick() {
  const { t } = useLingui();
  const { business, all } = useCurrentBusiness();
  if (!business) return null;
  if (all.length < 2) return business.name;
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
