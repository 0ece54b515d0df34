// tolerance: 0.0001
// routines: composite
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 1.23677762 3.22992282 3.1959076 0.831559224 7.54448922 0.894278545 4.72612553 0.506290415 1.62091101 3.76108326 2.58010463 4.14769339 2.15621939 2.83231862 1.0148708 0.932922277
// cost: 0 instructions, 21280 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %0 = chlo.lgamma %arg0 : tensor<37x5xf32> -> tensor<37x5xf32>
    return %0 : tensor<37x5xf32>
  }
}
