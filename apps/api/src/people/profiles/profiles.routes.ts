import { profiles } from '@nearhand/contract/people/profiles';
import { read, write } from '../../platform/http/bind.ts';
import { myProfile, saveProfile, workerProfile } from './profiles.service.ts';

export const profilesRoutes = {
  mine: read(profiles.mine, myProfile),
  save: write(profiles.save, saveProfile),
  worker: read(profiles.worker, workerProfile),
};
