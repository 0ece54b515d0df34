// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -1.05876478 3.91776662 -3.18141521 4.27445668 -1.49229741 -0.317211475 3.73562281 -0.745644116 -3.08028432 3.17081876 0.63935478 -0.431266477 -0.960541476 2.06298217 0.954381489 2.28835514
// out: sums -7.16150823 1.26781881 4.38414155 -2.42310932 -1.52465652 3.95392673 3.89895576 0 -0.320476947 8.16762168 -0.403148741 2.33048103 -7.88738281 4.55453735 3.21148669 3.67908388
// cost: 93 instructions, 1578546 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>, %arg1: tensor<9x20xf32>, %arg2: tensor<9x7xf32>) -> (tensor<20x7xf32>, tensor<9x7xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x7xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x7xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:6 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2, %iterArg_3 = %c, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<9x20xf32>, tensor<9x20xf32>, tensor<9x7xf32>, tensor<i32>, tensor<20x7xf32>, tensor<9x7xf32>
    cond {
      %c_6 = stablehlo.constant dense<9> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %4 = func.call @dynamic_index_in_dim(%iterArg_1, %iterArg_3) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %5 = func.call @dynamic_index_in_dim_0(%iterArg_2, %iterArg_3) : (tensor<9x7xf32>, tensor<i32>) -> tensor<7xf32>
      %6:2 = func.call @closed_call(%iterArg_4, %3, %4, %5) : (tensor<20x7xf32>, tensor<20xf32>, tensor<20xf32>, tensor<7xf32>) -> (tensor<20x7xf32>, tensor<7xf32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_5, %6#1, %iterArg_3) : (tensor<9x7xf32>, tensor<7xf32>, tensor<i32>) -> tensor<9x7xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %8, %6#0, %7 : tensor<9x20xf32>, tensor<9x20xf32>, tensor<9x7xf32>, tensor<i32>, tensor<20x7xf32>, tensor<9x7xf32>
    }
    return %2#4, %2#5 : tensor<20x7xf32>, tensor<9x7xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<i32>) -> tensor<20xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 20] : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> tensor<1x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20xf32>) -> tensor<20xf32>
    return %1 : tensor<20xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<9x7xf32>, %arg1: tensor<i32>) -> tensor<7xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 7] : (tensor<9x7xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x7xf32>) -> tensor<7xf32>
    return %1 : tensor<7xf32>
  }
  func.func private @closed_call(%arg0: tensor<20x7xf32>, %arg1: tensor<20xf32>, %arg2: tensor<20xf32>, %arg3: tensor<7xf32>) -> (tensor<20x7xf32>, tensor<7xf32>) {
    %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x7xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<20x7xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x7xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<20x7xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<20x7xf32>
    %7 = stablehlo.add %1, %6 : tensor<20x7xf32>
    %8 = stablehlo.dot_general %arg1, %7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20xf32>, tensor<20x7xf32>) -> tensor<7xf32>
    return %7, %8 : tensor<20x7xf32>, tensor<7xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x7xf32>, %arg1: tensor<7xf32>, %arg2: tensor<i32>) -> tensor<9x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x7xf32>, tensor<1x7xf32>, tensor<i32>, tensor<i32>) -> tensor<9x7xf32>
    return %1 : tensor<9x7xf32>
  }
}
