// tolerance: 2e-05
// routines: cbrt
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 21.1290196 14.015206 21.9291739 19.4816223 19.1083938 18.9662424 20.3362666 10.398987 17.1723914 20.8753463 16.9578482 13.8641882 21.2255569 28.9194597 12.7840171 19.4798756
// cost: 0 instructions, 21280 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %0 = stablehlo.cbrt %arg0 : tensor<37x5xf32>
    return %0 : tensor<37x5xf32>
  }
}
