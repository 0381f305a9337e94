import type { Business } from '@nearhand/contract/businesses';
import { hourMs } from '@nearhand/contract/durations';
import { submitBusiness, verifyBusiness } from '../features/businesses/business-states.service.ts';
import { getBusiness, registerBusiness } from '../features/businesses/businesses.service.ts';
import { type TownBusiness, townBusinesses } from './businesses-of-the-town.ts';
import { movePurse, openPurse } from './seed-money.ts';
import type { TownPeople } from './seed-people.ts';
import { streetNamed } from './streets.ts';
import { before, type Person, someMinutes, type Town } from './town.ts';

export type OpenedBusiness = { business: Business; owner: Person; facts: TownBusiness };

/** How many people own the businesses, besides Nadia. */
export const ownersWanted = townBusinesses.filter(({ owner }) => owner === undefined).length;

/** Registers every business in the name of its owner; most have been verified since, some still wait for it. */
export async function seedBusinesses(town: Town, people: TownPeople): Promise<OpenedBusiness[]> {
  const owners = [...people.owners];
  const opened: OpenedBusiness[] = [];
  for (const facts of townBusinesses) {
    const owner = facts.owner === 'nadia' ? people.nadia : owners.shift();
    if (!owner) throw new Error('the demo town has too few owners');
    const at = before(town.now, town.chance.between(56 * 24, 60 * 24) * hourMs + someMinutes(town.uneven));
    const scope = town.scopeOf(owner.accountId, at);
    const [, quarter, lat, lng] = streetNamed(facts.street);
    const { id: businessId } = await registerBusiness(town.tx, scope, {
      name: facts.name,
      legalName: facts.name,
      registrationNumber: '',
      category: facts.category,
      description: facts.about,
      email: null,
      phone: null,
      website: null,
      logoFileId: null,
      address: `${facts.street} ${facts.number}`,
      area: `${quarter}, Amsterdam`,
      countryCode: 'NL',
      lat,
      lng,
      privateAddress: facts.atHome ?? false,
    });
    await submitBusiness(town.tx, scope, { businessId });
    if (facts.verified !== false)
      await verifyBusiness(
        town.tx,
        {
          operator: 'operator:demo',
          clock: { now: () => new Date(at.getTime() + 19 * hourMs + someMinutes(town.uneven)) },
        },
        businessId,
      );
    const business = await getBusiness(town.tx, scope, { businessId });
    const one = { business, owner, facts };
    const isNadias = facts.owner === 'nadia';
    const card = await openPurse(
      town,
      one,
      new Date(at.getTime() + 21 * hourMs + someMinutes(town.uneven)),
      isNadias,
    );
    if (isNadias) await movePurse(town, one, card);
    opened.push(one);
    town.progress('businesses', opened.length, townBusinesses.length);
  }
  return opened;
}
