import { describe, expect, it } from 'vitest';
import { firstSearch } from './first-search.ts';

const town = { lat: 52.373, lng: 4.894 };
const around = (lat: number, lng: number) =>
  `/api/jobs/nearby?radiusKm=25&sort=distance&lat=${lat}&lng=${lng}&limit=30`;

describe('the search that Explore starts with', () => {
  it.each([
    ['/', '', around(52.373, 4.894)],
    ['/tabs/menu/explore', 'other=1', around(52.373, 4.894)],
    ['/tabs/menu/explore', 'a=b; nearhand-place=-33.8688,151.2093', around(-33.869, 151.209)],
    ['/tabs/menu/explore?lat=51.5&lng=-0.12&at=London&view=map', 'nearhand-place=1,2', around(51.5, -0.12)],
    ['/tabs/menu/explore?lat=NaN&lng=1', 'nearhand-place=91,0', around(52.373, 4.894)],
    ['/tabs/menu/explore', 'nearhand-place=1e3,<script>', around(52.373, 4.894)],
    ['/tabs/menu/explore', 'xnearhand-place=1,2', around(52.373, 4.894)],
    ['/tabs/menu/explore?q=barista', '', null],
    ['/tabs/menu/explore/', '', null],
    ['/login', '', null],
  ])('%s with the cookies %j: %s', (url, cookies, search) => {
    expect(firstSearch(url, cookies, town)).toBe(search);
  });
});
