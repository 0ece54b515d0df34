// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// in: draw 5 -1 9.5367431640625e-07 2097153
// out: sums 3.10698529 -1.49024437 0.189073669 1.26342762 1.79262193 -1.37591686 3.81967649 2.67878288 -2.21531965 -1.91396291 2.26825143 -2.24998397 -5.06615903 0.0968344644 3.0238231 -2.37313476
// cost: 34 instructions, 2513075 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>, %arg1: tensor<9x20xf32>, %arg2: tensor<20x3xf32>, %arg3: tensor<9x3xf32>, %arg4: tensor<9x3xf32>) -> (tensor<9x20xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:8 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg3, %iterArg_3 = %arg4, %iterArg_4 = %arg2, %iterArg_5 = %c, %iterArg_6 = %0, %iterArg_7 = %1) : tensor<9x20xf32>, tensor<9x20xf32>, tensor<9x3xf32>, tensor<9x3xf32>, tensor<20x3xf32>, tensor<i32>, tensor<20x3xf32>, tensor<9x20xf32>
    cond {
      %c_8 = stablehlo.constant dense<9> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_5, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_5) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %4 = func.call @dynamic_index_in_dim(%iterArg_1, %iterArg_5) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %5 = func.call @dynamic_index_in_dim_0(%iterArg_2, %iterArg_5) : (tensor<9x3xf32>, tensor<i32>) -> tensor<3xf32>
      %6 = func.call @dynamic_index_in_dim_0(%iterArg_3, %iterArg_5) : (tensor<9x3xf32>, tensor<i32>) -> tensor<3xf32>
      %7:2 = func.call @closed_call(%iterArg_4, %iterArg_6, %3, %4, %5, %6) : (tensor<20x3xf32>, tensor<20x3xf32>, tensor<20xf32>, tensor<20xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<20x3xf32>, tensor<20xf32>)
      %8 = func.call @dynamic_update_index_in_dim(%iterArg_7, %7#1, %iterArg_5) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_5, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %9, %7#0, %8 : tensor<9x20xf32>, tensor<9x20xf32>, tensor<9x3xf32>, tensor<9x3xf32>, tensor<20x3xf32>, tensor<i32>, tensor<20x3xf32>, tensor<9x20xf32>
    }
    return %2#7 : tensor<9x20xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<i32>) -> tensor<20xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 20] : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> tensor<1x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20xf32>) -> tensor<20xf32>
    return %1 : tensor<20xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<9x3xf32>, %arg1: tensor<i32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 3] : (tensor<9x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<20x3xf32>, %arg1: tensor<20x3xf32>, %arg2: tensor<20xf32>, %arg3: tensor<20xf32>, %arg4: tensor<3xf32>, %arg5: tensor<3xf32>) -> (tensor<20x3xf32>, tensor<20xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x3xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<20x3xf32>
    %3 = stablehlo.exponential %2 : tensor<20x3xf32>
    %4 = stablehlo.multiply %3, %arg1 : tensor<20x3xf32>
    %5 = stablehlo.multiply %arg3, %arg2 : tensor<20xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %7 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x3xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<20x3xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<20x3xf32>
    %11 = stablehlo.add %4, %10 : tensor<20x3xf32>
    %12 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<20x3xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<20x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<20x3xf32>, tensor<f32>) -> tensor<20xf32>
    return %11, %15 : tensor<20x3xf32>, tensor<20xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<i32>) -> tensor<9x20xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x20xf32>, tensor<1x20xf32>, tensor<i32>, tensor<i32>) -> tensor<9x20xf32>
    return %1 : tensor<9x20xf32>
  }
}
