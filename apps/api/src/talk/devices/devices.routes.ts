import { devices } from '@nearhand/contract/talk/devices';
import { write } from '../../platform/http/bind.ts';
import { addDevice, removeDevice } from './devices.ts';

export const devicesRoutes = {
  add: write(devices.add, addDevice),
  remove: write(devices.remove, removeDevice),
};
