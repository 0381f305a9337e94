import { hourMs } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import { submitBusiness, verifyBusiness } from '../people/businesses/business-states.service.ts';
import { getBusiness, registerBusiness } from '../people/businesses/businesses.service.ts';
import { movePurse, openPurse } from './seed-money.ts';
import type { TownPeople } from './seed-people.ts';
import { before, type Person, someMinutes, type Town } from './town/town.ts';
import { streetNamed, type TownBusiness, townTables } from './town/town-tables.ts';

export type OpenedBusiness = { business: Business; owner: Person; facts: TownBusiness };

/** How many people own the businesses, apart from Nadia. */
export const countOwners = (): number =>
  townTables().businesses.filter(({ owner }) => owner === undefined).length;

/** Registers every business as its owner; most have been verified since, some are pending. */
export async function seedBusinesses(town: Town, people: TownPeople): Promise<OpenedBusiness[]> {
  const owners = [...people.owners];
  const opened: OpenedBusiness[] = [];
  const { businesses } = townTables();
  for (const facts of businesses) {
    const owner = facts.owner === 'nadia' ? people.nadia : owners.shift();
    if (!owner) throw new Error('the demo town has too few owners');
    const at = before(town.now, town.chance.between(56 * 24, 60 * 24) * hourMs + someMinutes(town.uneven));
    const scope = town.scopeOf(owner.accountId, at);
    const { quarter, lat, lng } = streetNamed(facts.street);
    const { id: businessId } = await registerBusiness(town.tx, scope, {
      name: facts.name,
      legalName: facts.name,
      registrationNumber: '',
      category: facts.category,
      description: facts.description,
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
    town.progress('businesses', opened.length, businesses.length);
  }
  return opened;
}
