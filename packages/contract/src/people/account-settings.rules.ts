/** How the app looks; `system` follows the device. */
export const appearances = ['system', 'light', 'dark'] as const;
/** Units of distances; `place` goes by the country of the place (ADR 20). */
export const distanceUnits = ['place', 'km', 'miles'] as const;
/** The clock of times; `device` follows the device's region. */
export const clockFormats = ['device', '12', '24'] as const;
/** The side that the app opens on; `last` is the one used last on that device. */
export const startSides = ['last', 'work', 'hire'] as const;
