const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** TypeScript has no type for this yet. */
type Place = Intl.Locale & { getTimeZones?(): string[] | undefined };

let countries: Map<string, string> | null = null;

function countryByZone(): Map<string, string> {
  if (countries) return countries;
  countries = new Map();
  for (const first of letters)
    for (const second of letters) {
      const place: Place = new Intl.Locale(`und-${first}${second}`);
      for (const zone of place.getTimeZones?.() ?? []) if (place.region) countries.set(zone, place.region);
    }
  return countries;
}

/** The country of a time zone (ISO 3166-1); null at sea and where several countries share it. */
export function countryOfZone(timeZone: string): string | null {
  // The list uses CLDR names, where Asia/Ho_Chi_Minh is Asia/Saigon.
  const { timeZone: zone } = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions();
  return countryByZone().get(zone) ?? null;
}
