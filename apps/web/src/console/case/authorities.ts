/**
 * The national police of each country of the EU, which takes reports of a danger to life or safety (DSA,
 * article 18).
 */
const policeOfCountry: Readonly<Record<string, string>> = {
  AT: 'Bundeskriminalamt',
  BE: 'Federale Politie / Police Fédérale',
  BG: 'Главна дирекция „Национална полиция“',
  CY: 'Cyprus Police',
  CZ: 'Policie České republiky',
  DE: 'Bundeskriminalamt',
  DK: 'Politiet',
  EE: 'Politsei- ja Piirivalveamet',
  ES: 'Policía Nacional',
  FI: 'Poliisi',
  FR: 'Police nationale (PHAROS)',
  GR: 'Hellenic Police',
  HR: 'Ravnateljstvo policije',
  HU: 'Rendőrség',
  IE: 'An Garda Síochána',
  IT: 'Polizia Postale',
  LT: 'Lietuvos policija',
  LU: 'Police Grand-Ducale',
  LV: 'Valsts policija',
  MT: 'Malta Police Force',
  NL: 'Politie',
  PL: 'Policja',
  PT: 'Polícia Judiciária',
  RO: 'Poliția Română',
  SE: 'Polisen',
  SI: 'Policija',
  SK: 'Policajný zbor',
};

const english = new Intl.DisplayNames('en', { type: 'region' });

/** "Politie, Netherlands" under its country, by name, and Europol for cases without one. */
export const authorityOptions: readonly { value: string; label: string }[] = [
  ...Object.entries(policeOfCountry)
    .map(([code, police]) => {
      const country = english.of(code) ?? code;
      return { value: `${police}, ${country}`, label: country };
    })
    .sort((a, b) => a.label.localeCompare(b.label, 'en')),
  { value: 'Europol', label: 'Not known: Europol' },
];
