import { addMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import { submitBusiness, verifyBusiness } from '../people/businesses/business-lifecycle.ts';
import { getBusiness, registerBusiness } from '../people/businesses/businesses.ts';
import { insertMember } from '../people/businesses/members.sql.ts';
import { logoOf, paintOf } from './pictures/emblems.ts';
import { uploadDrawing } from './pictures/faces.ts';
import { placeOf } from './pictures/places.ts';
import { movePurse, openPurse } from './seed-money.ts';
import type { TownPeople } from './seed-people.ts';
import { type Person, someMinutes, type Town } from './town/town.ts';
import { streetNamed, type TownBusiness, townTables } from './town/town-tables.ts';

export type OpenedBusiness = { business: Business; owner: Person; facts: TownBusiness };

export const countOwners = (): number =>
  townTables().businesses.filter(({ owner }) => owner === undefined).length;

export async function seedBusinesses(town: Town, people: TownPeople): Promise<OpenedBusiness[]> {
  const owners = [...people.owners];
  const opened: OpenedBusiness[] = [];
  const { businesses } = townTables();
  let waiting = 0;
  for (const [index, facts] of businesses.entries()) {
    const owner = facts.owner === 'nadia' ? people.nadia : owners.shift();
    if (!owner) throw new Error('the demo town has too few owners');
    const at = subtractMs(
      town.now,
      town.chance.between(56 * 24, 60 * 24) * hourMs + someMinutes(town.uneven),
    );
    const scope = town.scopeOf(owner.accountId, at);
    const { quarter, lat, lng } = streetNamed(facts.street);
    const pictures = await drawPhotos(town, owner.accountId, at, facts, index);
    const { id: businessId } = await registerBusiness(town.tx, scope, {
      name: facts.name,
      legalName: facts.name,
      registrationNumber: facts.company?.registrationNumber ?? '',
      ...(facts.company && {
        vatId: facts.company.vatId,
        registeredStreet: `${facts.street} ${facts.number}`,
        registeredPostcode: facts.company.postcode,
        registeredTown: 'Amsterdam',
      }),
      category: facts.category,
      description: facts.description,
      email: null,
      phone: null,
      website: null,
      ...pictures,
      address: `${facts.street} ${facts.number}`,
      area: `${quarter}, Amsterdam`,
      countryCode: 'NL',
      lat,
      lng,
      privateAddress: facts.atHome ?? false,
    });
    // Recent requests, since old ones would show weeks of delay in the queue.
    const submittedAt =
      facts.verified === false ? subtractMs(town.now, (3.4 + 9.3 * waiting++) * hourMs) : at;
    await submitBusiness(town.tx, town.scopeOf(owner.accountId, submittedAt), { businessId });
    if (facts.verified !== false)
      await verifyBusiness(
        town.tx,
        {
          operator: 'operator:demo',
          clock: { now: () => addMs(at, 19 * hourMs + someMinutes(town.uneven)) },
        },
        businessId,
      );
    const business = await getBusiness(town.tx, scope, { businessId });
    const townBusiness = { business, owner, facts };
    const isNadias = facts.owner === 'nadia';
    const card = await openPurse(
      town,
      townBusiness,
      addMs(at, 21 * hourMs + someMinutes(town.uneven)),
      isNadias,
    );
    if (isNadias) await movePurse(town, townBusiness, card);
    opened.push(townBusiness);
    town.progress('businesses', opened.length, businesses.length);
  }
  return opened;
}

/** Joins Nadia's colleagues to one of her businesses, one in each role. */
export async function seedTeam(town: Town, { business }: OpenedBusiness, people: TownPeople): Promise<void> {
  for (const [role, person] of Object.entries(people.team))
    await insertMember(town.tx, {
      businessId: business.id,
      accountId: person.accountId,
      role: role as keyof TownPeople['team'],
      createdAt: town.hoursAgo(30 * 24),
    });
}

async function drawPhotos(town: Town, accountId: string, at: Date, facts: TownBusiness, index: number) {
  const paint = paintOf(index);
  const upload = (purpose: 'photo' | 'logo', svg: string) =>
    uploadDrawing(town, accountId, at, { purpose, name: `${purpose}.png`, svg });
  const cover = facts.atHome ? null : placeOf(facts.name, facts.category, facts.emblem, paint);
  return {
    logoFileId: await upload('logo', logoOf(facts.emblem, paint)),
    coverFileId: cover && (await upload('photo', cover)),
  };
}
