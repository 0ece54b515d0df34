// tolerance: 2e-05
// routines: composite
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 5.97859725 4.5235305 5.99135182 5.59877212 4.99033814 5.99248228 5.46648992 2.8603431 4.21535752 5.12737317 4.59997424 3.43612689 6.12900034 8.11934869 4.46423921 5.51448587
// cost: 3 instructions, 583106 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<37x5xf32>
    %1 = stablehlo.divide %arg0, %0 : tensor<37x5xf32>
    %2 = chlo.erf_inv %1 : tensor<37x5xf32> -> tensor<37x5xf32>
    return %2 : tensor<37x5xf32>
  }
}
