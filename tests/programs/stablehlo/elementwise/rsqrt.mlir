// tolerance: 2e-05
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 18.6246053 12.6462504 21.5250397 16.7103469 23.320705 14.7223293 21.5739531 9.29217133 17.459101 22.4686491 16.7073008 16.5181821 19.1082351 26.5387837 8.95817349 17.0157455
// cost: 3 instructions, 584898 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %0 = stablehlo.rsqrt %arg0 : tensor<37x5xf32>
    return %0 : tensor<37x5xf32>
  }
}
