import { describe, expect, it } from 'vitest';
import { zoneAt } from './time-zones.ts';

// The town, its country, its place (GeoNames), and its time zone.
const towns = [
  ['Tornio', 'FI', 65.8481, 24.1466, 'Europe/Helsinki'],
  ['Haparanda', 'SE', 65.8357, 24.1367, 'Europe/Stockholm'],
  ['Valença', 'PT', 42.0283, -8.6333, 'Europe/Lisbon'],
  ['Tui', 'ES', 42.047, -8.6443, 'Europe/Madrid'],
  ['Elvas', 'PT', 38.8809, -7.163, 'Europe/Lisbon'],
  ['Badajoz', 'ES', 38.8794, -6.9707, 'Europe/Madrid'],
  ['Vila Real de Santo António', 'PT', 37.194, -7.4158, 'Europe/Lisbon'],
  ['Ayamonte', 'ES', 37.2108, -7.4035, 'Europe/Madrid'],
  ['Dundalk', 'IE', 54.0036, -6.4029, 'Europe/Dublin'],
  ['Newry', 'GB', 54.1751, -6.3402, 'Europe/London'],
  ['Strabane', 'GB', 54.8273, -7.4633, 'Europe/London'],
  ['Lifford', 'IE', 54.8351, -7.4775, 'Europe/Dublin'],
  ['Hendaye', 'FR', 43.3586, -1.7735, 'Europe/Paris'],
  ['Irun', 'ES', 43.3378, -1.7888, 'Europe/Madrid'],
  ['Narva', 'EE', 59.3797, 28.1791, 'Europe/Tallinn'],
  ['Giurgiu', 'RO', 43.9037, 25.9699, 'Europe/Bucharest'],
  ['Ruse', 'BG', 43.8356, 25.9657, 'Europe/Sofia'],
  ['Ciudad Juárez', 'MX', 31.6904, -106.4245, 'America/Ciudad_Juarez'],
  ['El Paso', 'US', 31.7619, -106.485, 'America/Denver'],
  ['Windsor', 'CA', 42.3149, -83.0364, 'America/Toronto'],
  ['Detroit', 'US', 42.3314, -83.0458, 'America/Detroit'],
  ['Baarle-Nassau', 'NL', 51.445, 4.929, 'Europe/Amsterdam'],
  ['Baarle-Hertog', 'BE', 51.4406, 4.9292, 'Europe/Brussels'],
  ['Kerkrade', 'NL', 50.8658, 6.0625, 'Europe/Amsterdam'],
  ['Konstanz', 'DE', 47.6603, 9.1758, 'Europe/Berlin'],
  ['Kreuzlingen', 'CH', 47.6445, 9.1755, 'Europe/Zurich'],
] as const;

describe('the time zone of a place', () => {
  it.each(towns)('of %s (%s) at %d, %d is %s %s', (_town, country, lat, lng, zone) => {
    expect(zoneAt({ lat, lng }, country)).toBe(zone);
  });

  it('is that of the map when no country is known', () => {
    expect(zoneAt({ lat: 52.37, lng: 4.89 }, null)).toBe('Europe/Amsterdam');
  });

  it('is that of the country for a pin in the sea, and of the map for one in another part of the world', () => {
    expect(zoneAt({ lat: 0, lng: 0 }, 'NL')).toBe('Europe/Amsterdam');
    expect(zoneAt({ lat: 38.72, lng: -9.14 }, 'NL')).toBe('Europe/Lisbon');
  });
});
