import { places } from '@nearhand/contract/people/places';
import { read } from '../../platform/http/bind.ts';
import { searchAddresses, travelTimes } from './outside-places.service.ts';
import { mapSettings } from './places.service.ts';

export const placesRoutes = {
  mapSettings: read(places.mapSettings, mapSettings),
  addresses: read(places.addresses, searchAddresses),
  travel: read(places.travel, travelTimes),
};
