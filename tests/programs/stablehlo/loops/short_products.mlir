// tolerance: 0.0001
// in: draw 6 -1 9.5367431640625e-07 2097153
// in: draw 7 -1 9.5367431640625e-07 2097153
// out: sums 5.3076671 0.44447377 2.5502763 -3.01291357 0.21695895 1.10702033 -5.58036221 0 1.73046214 1.93343143 -0.154781763 -3.70384516 2.8940045 -6.46499402 -0.0121934749 -0.975617287
// out: sums 4.11593106 2.11977095 -0.221438951 -7.55851367 -2.29677522 -8.35775852 -0.013555572 2.29372781 -4.92900408 2.27988844 -2.17787199 0.566540842 0.602764147 -6.2959981 -1.56257075 3.64351762
// cost: 26 instructions, 1492735 ticks
module {
  func.func public @main(%arg0: tensor<3x4x16xf32>, %arg1: tensor<16x16xf32>) -> (tensor<4x16xf32>, tensor<3x4x16xf32>) {
    %0 = stablehlo.slice %arg0 [0:1, 0:4, 0:16] : (tensor<3x4x16xf32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:5 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %c, %iterArg_2 = %1, %iterArg_3 = %2) : tensor<3x4x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<3x4x16xf32>
    cond {
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<3x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %5:2 = func.call @closed_call(%iterArg_0, %iterArg_2, %4) : (tensor<16x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
      %6 = func.call @dynamic_update_index_in_dim(%iterArg_3, %5#1, %iterArg_1) : (tensor<3x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<3x4x16xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %7, %5#0, %6 : tensor<3x4x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<3x4x16xf32>
    }
    return %3#3, %3#4 : tensor<4x16xf32>, tensor<3x4x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x4x16xf32>, %arg1: tensor<i32>) -> tensor<4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 16] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<4x16xf32>
    %2 = stablehlo.tanh %1 : tensor<4x16xf32>
    return %2, %2 : tensor<4x16xf32>, tensor<4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i32>) -> tensor<3x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x16xf32>
    return %1 : tensor<3x4x16xf32>
  }
}
