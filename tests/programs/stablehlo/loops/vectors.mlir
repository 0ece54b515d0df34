// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 16.330223 -5.62540168 10.9955182 14.4299851 -1.35568566 14.7976169 -3.55130863 -11.6690689 2.2203647 15.6715607 -10.4950856 -8.45000517 14.4689255 -0.829955385 -9.46780847 -5.42200453
// out: sums -195.941016 -209.413274 -199.278217 -204.717422 -189.935901 -188.209744 -173.397845 -188.973945 -196.302108 -166.450401 -207.314 -229.830379 -188.345065 -194.878233 -207.384924 -199.89167
// out: sums -800.376882 -758.269426 -742.517336 -761.854782 -752.030417 -744.526299 -763.817332 -720.167955 -740.615114 -705.296416 -719.547084 -778.176119 -729.015164 -768.459516 -806.429185 -791.844656
// cost: 131 instructions, 19094367 ticks
module {
  func.func public @main(%arg0: tensor<9x2048xf32>, %arg1: tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2x2048xf32>, tensor<9x2048xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1x2048xf32>, tensor<1x2048xf32>) -> tensor<2x2048xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x2048xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:6 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %c, %iterArg_3 = %0, %iterArg_4 = %3, %iterArg_5 = %4) : tensor<9x2048xf32>, tensor<2048xf32>, tensor<i32>, tensor<2048xf32>, tensor<2x2048xf32>, tensor<9x2048xf32>
    cond {
      %c_6 = stablehlo.constant dense<9> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_2, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<9x2048xf32>, tensor<i32>) -> tensor<2048xf32>
      %7:3 = func.call @closed_call(%iterArg_1, %iterArg_3, %iterArg_4, %6) : (tensor<2048xf32>, tensor<2048xf32>, tensor<2x2048xf32>, tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2x2048xf32>, tensor<2048xf32>)
      %8 = func.call @dynamic_update_index_in_dim(%iterArg_5, %7#2, %iterArg_2) : (tensor<9x2048xf32>, tensor<2048xf32>, tensor<i32>) -> tensor<9x2048xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_2, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %9, %7#0, %7#1, %8 : tensor<9x2048xf32>, tensor<2048xf32>, tensor<i32>, tensor<2048xf32>, tensor<2x2048xf32>, tensor<9x2048xf32>
    }
    return %5#3, %5#4, %5#5 : tensor<2048xf32>, tensor<2x2048xf32>, tensor<9x2048xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x2048xf32>, %arg1: tensor<i32>) -> tensor<2048xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 2048] : (tensor<9x2048xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2048xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    return %1 : tensor<2048xf32>
  }
  func.func private @closed_call(%arg0: tensor<2048xf32>, %arg1: tensor<2048xf32>, %arg2: tensor<2x2048xf32>, %arg3: tensor<2048xf32>) -> (tensor<2048xf32>, tensor<2x2048xf32>, tensor<2048xf32>) {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<2048xf32>
    %1 = stablehlo.add %0, %arg3 : tensor<2048xf32>
    %2 = stablehlo.tanh %1 : tensor<2048xf32>
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2048xf32>
    %4 = stablehlo.multiply %arg2, %3 : tensor<2x2048xf32>
    %5 = stablehlo.negate %2 : tensor<2048xf32>
    %6 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<1x2048xf32>, tensor<1x2048xf32>) -> tensor<2x2048xf32>
    %9 = stablehlo.minimum %4, %8 : tensor<2x2048xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<2048xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<2.048000e+03> : tensor<f32>
    %11 = stablehlo.divide %10, %cst_1 : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<2x2048xf32>
    %13 = stablehlo.add %9, %12 : tensor<2x2048xf32>
    %14 = stablehlo.slice %13 [1:2, 0:2048] : (tensor<2x2048xf32>) -> tensor<1x2048xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x2048xf32>) -> tensor<2048xf32>
    return %2, %13, %15 : tensor<2048xf32>, tensor<2x2048xf32>, tensor<2048xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x2048xf32>, %arg1: tensor<2048xf32>, %arg2: tensor<i32>) -> tensor<9x2048xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2048xf32>) -> tensor<1x2048xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x2048xf32>, tensor<1x2048xf32>, tensor<i32>, tensor<i32>) -> tensor<9x2048xf32>
    return %1 : tensor<9x2048xf32>
  }
}
