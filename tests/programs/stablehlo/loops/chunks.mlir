// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -2.22916312 5.66604711 17.7375149 -11.7803327 -16.5440485 -20.3647778 33.0281695 20.4562583 39.9340787 20.0203234 -7.65495492 -28.2663868 -12.3332627 -25.5864169 -1.90615219 -2.78035032
// out: sums -4.22586182 -10.3882437 63.6980522 -86.3532232 160.613457 -115.271708 -34.5149869 149.731088 -7.85583508 -11.3121923 96.9739829 -21.5340793 -29.9743186 -57.5813228 -75.3849465 -51.7187692
// cost: 142 instructions, 2407277 ticks
module {
  func.func public @main(%arg0: tensor<4x2x20x16xf32>, %arg1: tensor<4x2x20x16xf32>, %arg2: tensor<4x2x20x16xf32>) -> (tensor<2x16x16xf32>, tensor<4x2x20x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2x20x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:6 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2, %iterArg_3 = %c, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<4x2x20x16xf32>, tensor<4x2x20x16xf32>, tensor<4x2x20x16xf32>, tensor<i32>, tensor<2x16x16xf32>, tensor<4x2x20x16xf32>
    cond {
      %c_6 = stablehlo.constant dense<4> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<4x2x20x16xf32>, tensor<i32>) -> tensor<2x20x16xf32>
      %4 = func.call @dynamic_index_in_dim(%iterArg_1, %iterArg_3) : (tensor<4x2x20x16xf32>, tensor<i32>) -> tensor<2x20x16xf32>
      %5 = func.call @dynamic_index_in_dim(%iterArg_2, %iterArg_3) : (tensor<4x2x20x16xf32>, tensor<i32>) -> tensor<2x20x16xf32>
      %6:2 = func.call @closed_call(%iterArg_4, %3, %4, %5) : (tensor<2x16x16xf32>, tensor<2x20x16xf32>, tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x20x16xf32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_5, %6#1, %iterArg_3) : (tensor<4x2x20x16xf32>, tensor<2x20x16xf32>, tensor<i32>) -> tensor<4x2x20x16xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %8, %6#0, %7 : tensor<4x2x20x16xf32>, tensor<4x2x20x16xf32>, tensor<4x2x20x16xf32>, tensor<i32>, tensor<2x16x16xf32>, tensor<4x2x20x16xf32>
    }
    return %2#4, %2#5 : tensor<2x16x16xf32>, tensor<4x2x20x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x2x20x16xf32>, %arg1: tensor<i32>) -> tensor<2x20x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 20, 16] : (tensor<4x2x20x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x20x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x20x16xf32>) -> tensor<2x20x16xf32>
    return %1 : tensor<2x20x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x16x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<2x20x16xf32>, %arg3: tensor<2x20x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x20x16xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x16x16xf32>) -> tensor<2x20x16xf32>
    %1 = stablehlo.transpose %arg2, dims = [0, 2, 1] : (tensor<2x20x16xf32>) -> tensor<2x16x20xf32>
    %2 = stablehlo.dot_general %arg1, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x16x20xf32>) -> tensor<2x20x20xf32>
    %3 = call @tril(%2) : (tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %4 = stablehlo.dot_general %3, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    %5 = stablehlo.add %0, %4 : tensor<2x20x16xf32>
    %6 = stablehlo.transpose %arg2, dims = [0, 2, 1] : (tensor<2x20x16xf32>) -> tensor<2x16x20xf32>
    %7 = stablehlo.dot_general %6, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x20xf32>, tensor<2x20x16xf32>) -> tensor<2x16x16xf32>
    %8 = stablehlo.add %arg0, %7 : tensor<2x16x16xf32>
    return %8, %5 : tensor<2x16x16xf32>, tensor<2x20x16xf32>
  }
  func.func private @tril(%arg0: tensor<2x20x20xf32>) -> tensor<2x20x20xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<20x20xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<20x20xi32>
    %2 = stablehlo.add %0, %1 : tensor<20x20xi32>
    %3 = stablehlo.iota dim = 1 : tensor<20x20xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<20x20xi32>, tensor<20x20xi32>) -> tensor<20x20xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<20x20xi1>) -> tensor<2x20x20xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %7 = stablehlo.select %5, %arg0, %6 : tensor<2x20x20xi1>, tensor<2x20x20xf32>
    return %7 : tensor<2x20x20xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x2x20x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<i32>) -> tensor<4x2x20x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x20x16xf32>) -> tensor<1x2x20x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<4x2x20x16xf32>, tensor<1x2x20x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x20x16xf32>
    return %1 : tensor<4x2x20x16xf32>
  }
}
