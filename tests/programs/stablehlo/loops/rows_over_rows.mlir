// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 3.05339235 3.30901107 -7.10784314 5.09960503 -3.34135513 0.175006405 -1.19407009 1.8766609 -3.6123409 -2.8745358 4.79743177 -5.74374587 0.309988949 3.5017755 4.31391561 0.565517414
// cost: 19 instructions, 8416897 ticks
module {
  func.func public @main(%arg0: tensor<18x2x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<19x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<19x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:5 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %c_0, %iterArg_3 = %c, %iterArg_4 = %0) : tensor<18x2x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<19x8xf32>
    cond {
      %c_5 = stablehlo.constant dense<18> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2:2 = func.call @closed_call(%iterArg, %iterArg_1, %iterArg_3, %iterArg_4) : (tensor<18x2x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<19x8xf32>) -> (tensor<i32>, tensor<19x8xf32>)
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg_2, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %3, %2#0, %2#1 : tensor<18x2x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<i32>, tensor<19x8xf32>
    }
    return %1#4 : tensor<19x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<18x2x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>, %arg3: tensor<19x8xf32>) -> (tensor<i32>, tensor<19x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg2, %c : tensor<i32>
    %1 = stablehlo.convert %arg2 : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<18> : tensor<i32>
    %3 = stablehlo.add %1, %c_1 : tensor<i32>
    %4 = stablehlo.select %2, %3, %1 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %c_2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<2> : tensor<i32>
    %6 = stablehlo.add %c_4, %c_5 : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.select %5, %6, %c_6 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %c_7, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %c_10 = stablehlo.constant dense<8> : tensor<i32>
    %9 = stablehlo.add %c_9, %c_10 : tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.select %8, %9, %c_11 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_slice %arg0, %4, %7, %10, sizes = [1, 2, 8] : (tensor<18x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x2x8xf32>) -> tensor<2x8xf32>
    %13 = stablehlo.dot_general %12, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.compare LT, %arg2, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = stablehlo.convert %arg2 : tensor<i32>
    %c_13 = stablehlo.constant dense<19> : tensor<i32>
    %16 = stablehlo.add %15, %c_13 : tensor<i32>
    %17 = stablehlo.select %14, %16, %arg2 : tensor<i1>, tensor<i32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.dynamic_update_slice %arg3, %13, %17, %c_14 : (tensor<19x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<19x8xf32>
    return %0, %18 : tensor<i32>, tensor<19x8xf32>
  }
}
