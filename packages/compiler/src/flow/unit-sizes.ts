/** How many of the smallest one has, by what is counted. */
export const sizes = {
  time: {
    milliseconds: 1,
    seconds: 1_000,
    minutes: 60_000,
    hours: 3_600_000,
    days: 86_400_000,
    weeks: 604_800_000,
  },
  money: { micros: 1, mills: 1_000, minor: 10_000, major: 1_000_000 },
  share: { basisPoints: 1, thousandths: 10, percent: 100, fractions: 10_000 },
  energy: { wattHours: 1, kilowattHours: 1_000, megawattHours: 1_000_000 },
  power: { watts: 1, kilowatts: 1_000, megawatts: 1_000_000 },
  voltage: { millivolts: 1, volts: 1_000 },
  data: { bytes: 1, kilobytes: 1_000, megabytes: 1_000_000, gigabytes: 1_000_000_000 },
  weight: {
    micrograms: 1,
    milligrams: 1_000,
    grams: 1_000_000,
    ounces: 28_349_523.125,
    pounds: 453_592_370,
    kilograms: 1_000_000_000,
    tonnes: 1_000_000_000_000,
  },
  length: {
    millimetres: 1,
    centimetres: 10,
    decimetres: 100,
    inches: 25.4,
    feet: 304.8,
    yards: 914.4,
    metres: 1_000,
    kilometres: 1_000_000,
    miles: 1_609_344,
    nauticalMiles: 1_852_000,
  },
  area: {
    squareDecimetres: 0.01,
    squareFeet: 0.092_903_04,
    squareMetres: 1,
    acres: 4_046.856_422_4,
    hectares: 10_000,
    squareKilometres: 1_000_000,
  },
  volume: { microlitres: 1, millilitres: 1_000, litres: 1_000_000, cubicMetres: 1_000_000_000 },
  pressure: {
    pascals: 1,
    hectopascals: 100,
    kilopascals: 1_000,
    poundsPerSquareInch: 6_894.757,
    bars: 100_000,
  },
  temperature: { tenthsOfDegrees: 1, degrees: 10 },
  speed: { kilometresPerHour: 1, milesPerHour: 1.609_344, knots: 1.852, metresPerSecond: 3.6 },
} as const;

/** What a number counts. `minor` are cents and the like, `major` the money that people write. */
export type Unit = { [K in keyof typeof sizes]: keyof (typeof sizes)[K] }[keyof typeof sizes];
