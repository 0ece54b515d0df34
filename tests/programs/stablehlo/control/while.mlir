// tolerance: 1e-05
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: 3
// out: 2.97361755 7.62413025 15.1670074 16.3528595 9.31024933 9.6629715 6.29318237 16.2212372 8.71565247
// cost: 32 instructions, 2700304 ticks
module {
  func.func public @main(%arg0: tensor<9xf32>) -> (tensor<i32>, tensor<9xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<9xf32>
    cond {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%iterArg_0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<9xf32>, tensor<f32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<5.000000e+01> : tensor<f32>
      %2 = stablehlo.compare LT, %1, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %3 = stablehlo.multiply %iterArg_0, %2 : tensor<9xf32>
      stablehlo.return %1, %3 : tensor<i32>, tensor<9xf32>
    }
    return %0#0, %0#1 : tensor<i32>, tensor<9xf32>
  }
}
