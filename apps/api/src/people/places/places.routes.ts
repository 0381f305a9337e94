import { places } from '@nearhand/contract/people/places';
import { read } from '../../platform/http/bind.ts';
import { mapSettings } from './places.service.ts';

export const placesRoutes = {
  mapSettings: read(places.mapSettings, mapSettings),
};
