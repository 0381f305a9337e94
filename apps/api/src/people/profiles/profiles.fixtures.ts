import type { ProfileInput } from '@nearhand/contract/people/profiles';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { saveProfile } from './profiles.ts';

export async function fillProfile(db: Db, scope: Scope, options: ProfileInput = {}) {
  return db.transaction().execute((tx) =>
    saveProfile(tx, scope, {
      phone: '+31612345678',
      bio: 'Five years behind the bar, good with people in a hurry.',
      home: { label: 'Jordaan, Amsterdam', lat: 52.3749, lng: 4.8812 },
      languages: [
        { code: 'nl', level: 'native' },
        { code: 'en', level: 'fluent' },
      ],
      availability: [
        { day: 'fri', part: 'evening' },
        { day: 'sat', part: 'evening' },
      ],
      skills: [{ skill: 'barista', level: 'expert', years: 5 }],
      ...options,
    }),
  );
}
