export const appearances = ['system', 'light', 'dark'] as const;
/** Units of distances; `place` uses the country of the place (ADR 20). */
export const distanceUnits = ['place', 'km', 'miles'] as const;
export const clockFormats = ['device', '12', '24'] as const;
/** The side that the app opens on; `last` is the one used last on that device. */
export const startSides = ['last', 'work', 'hire'] as const;
