// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -1.40664506 -0.297351748 0.15002206 -0.0254788548 -0.421075523 0.2658301
// out: sums 2.74905705 0.10654223 0.936950714 0.00569957122 2.4517074 0.560230115 1.62744595 0 0.664253734 0 -0.323730955 0.791027383 0.374293492 2.4965083 0.492763684 0.726073357
// cost: 16 instructions, 1810627 ticks
module {
  func.func public @main(%arg0: tensor<9x6xf32>) -> (tensor<6xf32>, tensor<9x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c, %iterArg_2 = %0, %iterArg_3 = %1) : tensor<9x6xf32>, tensor<i32>, tensor<6xf32>, tensor<9x6xf32>
    cond {
      %c_4 = stablehlo.constant dense<9> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<9x6xf32>, tensor<i32>) -> tensor<6xf32>
      %4:2 = func.call @closed_call(%iterArg_2, %3) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
      %5 = func.call @dynamic_update_index_in_dim(%iterArg_3, %4#1, %iterArg_1) : (tensor<9x6xf32>, tensor<6xf32>, tensor<i32>) -> tensor<9x6xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %6, %4#0, %5 : tensor<9x6xf32>, tensor<i32>, tensor<6xf32>, tensor<9x6xf32>
    }
    return %2#2, %2#3 : tensor<6xf32>, tensor<9x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x6xf32>, %arg1: tensor<i32>) -> tensor<6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 6] : (tensor<9x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6xf32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @closed_call(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<6xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<6xf32>
    return %2, %arg0 : tensor<6xf32>, tensor<6xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<i32>) -> tensor<9x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<9x6xf32>
    return %1 : tensor<9x6xf32>
  }
}
