/** A quarter of a town by its local name: name, latitude, longitude (about 100 m). */
export type Quarter = readonly [name: string, lat: number, lng: number];

/**
 * Quarters of the demo town, for labels such as "Jordaan, Amsterdam". GeoNames has quarters of a few cities
 * only. An operator adds their own town here.
 */
export const quarters: readonly {
  town: string;
  country: string;
  admin: string;
  quarters: readonly Quarter[];
}[] = [
  {
    town: 'Amsterdam',
    country: 'NL',
    admin: '07',
    quarters: [
      ['Centrum', 52.3719, 4.8945],
      ['Noord', 52.3915, 4.9185],
      ['Oost', 52.3605, 4.9305],
      ['Zuid', 52.3465, 4.8805],
      ['West', 52.3745, 4.8625],
      ['Nieuw-West', 52.364, 4.805],
      ['Nieuwmarkt', 52.3722, 4.9015],
      ['Jordaan', 52.3748, 4.8806],
      ['Haarlemmerbuurt', 52.3822, 4.888],
      ['Westelijke Eilanden', 52.3866, 4.8856],
      ['Spaarndammerbuurt', 52.3893, 4.8775],
      ['Staatsliedenbuurt', 52.3795, 4.8731],
      ['Westerpark', 52.3872, 4.8705],
      ['Houthavens', 52.3955, 4.8795],
      ['Bos en Lommer', 52.3794, 4.8492],
      ['De Baarsjes', 52.3688, 4.855],
      ['Oud-West', 52.3655, 4.8705],
      ['Museumkwartier', 52.3572, 4.8806],
      ['Vondelparkbuurt', 52.3608, 4.869],
      ['Apollobuurt', 52.3492, 4.8733],
      ['Stadionbuurt', 52.3452, 4.8583],
      ['De Pijp', 52.3535, 4.8945],
      ['Rivierenbuurt', 52.3449, 4.9041],
      ['Buitenveldert', 52.3298, 4.8737],
      ['Zuidas', 52.3378, 4.8732],
      ['Weesperzijde', 52.3555, 4.9093],
      ['Plantage', 52.3663, 4.9136],
      ['Kadijken', 52.3692, 4.919],
      ['Oostelijke Eilanden', 52.3722, 4.924],
      ['Oosterparkbuurt', 52.3592, 4.9173],
      ['Dapperbuurt', 52.362, 4.9277],
      ['Indische Buurt', 52.3629, 4.9405],
      ['Watergraafsmeer', 52.3518, 4.93],
      ['Oostelijk Havengebied', 52.3742, 4.9399],
      ['Zeeburgereiland', 52.3722, 4.9634],
      ['IJburg', 52.3555, 4.9955],
      ['Buiksloterham', 52.3953, 4.8985],
      ['Overhoeks', 52.3853, 4.9011],
      ['NDSM', 52.4008, 4.893],
      ['Vogelbuurt', 52.3866, 4.9185],
      ['Tuindorp Oostzaan', 52.4108, 4.8895],
      ['Nieuwendam', 52.3935, 4.941],
      ['Buikslotermeer', 52.4005, 4.9345],
      ['Sloterdijk', 52.3888, 4.8376],
      ['Slotermeer', 52.3799, 4.8235],
      ['Geuzenveld', 52.3795, 4.7985],
      ['Osdorp', 52.3592, 4.7936],
      ['Slotervaart', 52.3567, 4.8333],
      ['Nieuw Sloten', 52.3433, 4.8116],
      ['Bijlmer', 52.3165, 4.9632],
      ['Gaasperdam', 52.2985, 4.9807],
      ['Omval', 52.3462, 4.9146],
    ],
  },
];
